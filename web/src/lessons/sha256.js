// SHA-256 (FIPS 180-4). The browser's own is missing on pages that come over plain HTTP.

const isPrime = (n) => { for (let d = 2; d * d <= n; d += 1) if (n % d === 0) return false; return true; };
const primes = Array.from({ length: 312 }, (_, i) => i).filter((n) => n > 1 && isPrime(n)).slice(0, 64);
/** The first 32 bits of the part behind the point. @param {number} x */
const fraction = (x) => Math.floor((x - Math.floor(x)) * 2 ** 32) | 0;
const constants = primes.map((p) => fraction(Math.cbrt(p)));
const start = primes.slice(0, 8).map((p) => fraction(Math.sqrt(p)));
const turned = (x, n) => (x >>> n) | (x << (32 - n));

/** The message with its end and its length, in words. @param {Uint8Array} bytes */
function padded(bytes) {
  const words = new Int32Array(Math.ceil((bytes.length + 9) / 64) * 16);
  bytes.forEach((byte, i) => { words[i >> 2] |= byte << (24 - 8 * (i % 4)); });
  words[bytes.length >> 2] |= 0x80 << (24 - 8 * (bytes.length % 4));
  words[words.length - 1] = bytes.length * 8;
  return words;
}

function mix(hash, block) {
  const w = [...block];
  for (let i = 16; i < 64; i += 1) {
    const [x, y] = [w[i - 15], w[i - 2]];
    w[i] = (w[i - 16] + w[i - 7] + (turned(x, 7) ^ turned(x, 18) ^ (x >>> 3)) + (turned(y, 17) ^ turned(y, 19) ^ (y >>> 10))) | 0;
  }
  let [a, b, c, d, e, f, g, h] = hash;
  for (let i = 0; i < 64; i += 1) {
    const one = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + constants[i] + w[i]) | 0;
    const two = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  return [a, b, c, d, e, f, g, h].map((x, i) => (x + hash[i]) | 0);
}

/** @param {string} text @returns {string} 64 hexadecimal digits */
export function sha256(text) {
  const words = padded(new TextEncoder().encode(text));
  let hash = start;
  for (let i = 0; i < words.length; i += 16) hash = mix(hash, words.subarray(i, i + 16));
  return hash.map((x) => (x >>> 0).toString(16).padStart(8, '0')).join('');
}
