// Sections fold, and are drawn when they are first opened; the others when the browser has nothing else to
// do. Links lead to their target, which is opened before it is shown. Paper has the first pages alone; with
// the appendix, on request, all is open.
import { el } from './dom.js';

const moment = () => new Promise((resolve) => setTimeout(resolve));
const leisure = () => new Promise((resolve) => (window.requestIdleCallback ? requestIdleCallback(resolve, { timeout: 500 }) : setTimeout(resolve, 50)));

/** Some browsers lay out folded parts, others give it no width to draw in. */
const hasWidth = (fold) => fold.querySelector('.fold-body').clientWidth > 0;

export class Folding {
  /**
   * @param {{title: string, element: HTMLElement, fold: HTMLDetailsElement, drawings: (() => void|Promise<void>)[]}[]} sections
   * @param {(() => void|Promise<void>)[]} first drawings of the first pages
   */
  constructor(sections, first) {
    this.sections = sections;
    this.first = [...first];
    this.undrawn = new Map(sections.map(({ fold, drawings }) => [fold, [...drawings]])); // the remaining drawings of each
    this.turn = Promise.resolve();
    sections.forEach(({ fold }) => fold.addEventListener('toggle', () => { if (fold.open) this.draw(fold); }));
    addEventListener('hashchange', () => this.follow());
    addEventListener('beforeprint', () => this.drawForPaper());
  }

  /** Charts one after the other: the page can be read meanwhile. */
  draw(fold) {
    this.turn = this.turn.then(() => this.drawRest(fold, moment));
    return this.turn;
  }

  /** @param {HTMLDetailsElement} fold @param {() => Promise<unknown>|void} pause after each chart */
  async drawRest(fold, pause) {
    const left = this.undrawn.get(fold) ?? [];
    for (let drawing = left.shift(); drawing; drawing = left.shift()) {
      await drawing();
      await pause();
    }
    this.undrawn.delete(fold);
    document.documentElement.dataset.drawn = this.undrawn.size === 0 ? 'all' : 'opened';
  }

  /**
   * The browser prints when this has returned and all promises have been kept that wait for no event of
   * its own: drawing a chart is such a promise, and between two charts there is no pause.
   */
  async drawForPaper() {
    await this.drawFirst();
    if (document.documentElement.dataset.print !== 'all') return;
    document.querySelectorAll('details.fold').forEach((each) => { each.open = true; });
    for (const { fold } of this.sections) await this.drawRest(fold, () => {});
  }

  async drawFirst() {
    for (let drawing = this.first.shift(); drawing; drawing = this.first.shift()) await drawing();
  }

  async drawOpen() {
    await this.drawFirst();
    for (const { fold } of this.sections) if (fold.open) this.draw(fold);
    if (!this.sections.some(({ fold }) => fold.open)) document.documentElement.dataset.drawn = this.sections.length === 0 ? 'all' : 'opened';
    await this.turn;
    await this.follow();
    await this.drawFolded();
  }

  async drawFolded() {
    for (const { fold } of this.sections) {
      await leisure();
      if (this.undrawn.has(fold) && hasWidth(fold)) await this.draw(fold);
    }
  }

  /** For the buttons: within a call of print() no promise is kept, so all is drawn before. @param {boolean} all with the appendix */
  async print(all) {
    if (all) {
      document.documentElement.dataset.print = 'all';
      addEventListener('afterprint', () => { delete document.documentElement.dataset.print; }, { once: true });
      this.unfold();
      this.sections.forEach(({ fold }) => this.draw(fold));
      await this.turn;
    }
    print();
  }

  /** Opens all, for reading on or printing. */
  unfold() {
    this.sections.forEach(({ fold }) => { fold.open = true; });
  }

  /** To the target in the address. */
  async follow() {
    const id = decodeURIComponent(location.hash.slice(1));
    const target = id ? document.getElementById(id) : null;
    if (!target) return;
    const fold = target.closest('details.fold') ?? target.querySelector('details.fold');
    if (fold && !fold.open) {
      fold.open = true;
      await this.draw(fold);
    }
    target.scrollIntoView();
    target.querySelector('summary')?.focus({ preventScroll: true });
  }
}

/** The list of contents, which stays in sight. @param {Folding} folding */
export function contents(folding) {
  const links = folding.sections.map(({ title, element }) => el('li', {}, el('a', { href: `#${element.id}`, on: { click: () => setTimeout(() => folding.follow()) } }, title)));
  const all = el('button', { type: 'button', class: 'quiet', id: 'unfold', on: { click: () => folding.unfold() } }, 'Open all');
  return el('nav', { 'aria-label': 'Contents', class: 'contents' }, el('ol', {}, links), all);
}
