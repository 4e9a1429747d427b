// The documentation as HTML pages that open from a file, offline: each Markdown page of docs/ and its
// folders, and those beside README.md that it links to. All pages lie in one folder: model/hangs.md becomes
// model-hangs.html.
//
//   node build.mjs SOURCE FOLDER
//
// Links between pages lead to the pages made here; what else of the repository is linked to is named.
import { createHash } from 'node:crypto';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Marked } from 'marked';

const [source, folder] = process.argv.slice(2).map((each) => path.resolve(each));

/** Pages beside docs/. */
const beside = ['CONTRIBUTING.md', 'CHANGELOG.md'];

const escaped = (text) => text.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]);

/** As GitHub names headings. @param {string} text */
const anchor = (text) => text.toLowerCase().replace(/<[^>]*>|&[a-z]+;/g, '').replace(/[^\p{L}\p{N}\s_-]/gu, '').trim().replace(/\s/g, '-');

/** The file that a page becomes, by its path from the source. @param {Map<string, string>} pages */
function target(pages, from, href) {
  if (/^[a-z]+:|^#/.test(href)) return href;
  const [file, hash] = href.split('#');
  const to = path.join(path.dirname(from), file);
  if (pages.has(to)) return pages.get(to) + (hash ? `#${hash}` : '');
  return to.startsWith('docs/images/') ? path.relative('docs', to) : null;
}

/** @param {Map<string, string>} pages @param {string} from */
function reader(pages, from) {
  const marked = new Marked({ gfm: true });
  marked.use({
    renderer: {
      heading({ tokens, depth }) {
        const inner = this.parser.parseInline(tokens);
        return `<h${depth} id="${anchor(inner)}">${inner}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens);
        const to = target(pages, from, href);
        return to === null ? `${inner} <span class="file">(${escaped(path.join(path.dirname(from), href))})</span>` : `<a href="${escaped(to)}">${inner}</a>`;
      },
      image({ href, text }) {
        const to = target(pages, from, href);
        return to === null ? escaped(text) : `<img src="${escaped(to)}" alt="${escaped(text)}">`;
      },
    },
  });
  return marked;
}

const style = await readFile(path.join(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), 'reader.css'), 'utf8');
const hash = createHash('sha256').update(style).digest('base64');

function pageOf(title, body, nav) {
  return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${hash}'; img-src 'self' file:">
<title>${escaped(title)}</title><style>${style}</style></head>
<body><nav aria-label="Pages">${nav}</nav><main>${body}</main></body></html>
`;
}

const docs = (await readdir(path.join(source, 'docs'), { recursive: true })).filter((file) => file.endsWith('.md')).sort();
const pages = new Map([
  ...docs.map((file) => [`docs/${file}`, file === 'README.md' ? 'index.html' : file.replaceAll('/', '-').replace(/\.md$/, '.html')]),
  ...beside.map((file) => [file, file.replace(/\.md$/, '.html')]),
]);
const texts = new Map();
for (const from of pages.keys()) texts.set(from, (await readFile(path.join(source, from), 'utf8')).replace(/\r/g, ''));
/** Pages in the order in which the front page and the model's overview link to them. */
const linked = ['docs/README.md', 'docs/model.md'].flatMap((from) =>
  [from, ...[...texts.get(from).matchAll(/\]\(([^)#:]+)/g)].map((link) => path.join(path.dirname(from), link[1]))]);
const rank = (page) => (linked.includes(page) ? linked.indexOf(page) : linked.length);
const ordered = [...pages].sort(([a], [b]) => rank(a) - rank(b));
const titleOf = (from) => /^# (.*)$/m.exec(texts.get(from))?.[1] ?? from;

await mkdir(folder, { recursive: true });
await cp(path.join(source, 'docs/images'), path.join(folder, 'images'), { recursive: true });
for (const [from, to] of pages) {
  const nav = ordered.map(([each, file]) => `<a href="${file}"${each === from ? ' aria-current="page"' : ''}>${escaped(titleOf(each).replace(/`/g, ''))}</a>`).join('\n');
  await writeFile(path.join(folder, to), pageOf(titleOf(from), reader(pages, from).parse(texts.get(from)), nav));
}
console.log(`${folder}: ${pages.size} pages`);
