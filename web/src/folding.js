// Sections fold, and are drawn when they are first opened; the others when the browser has nothing else to
// do, as printing waits for no drawing. Links lead to what they name, which is opened before it is shown;
// on paper all is open.
import { el } from './dom.js';

const moment = () => new Promise((resolve) => setTimeout(resolve));
const leisure = () => new Promise((resolve) => (window.requestIdleCallback ? requestIdleCallback(resolve, { timeout: 500 }) : setTimeout(resolve, 50)));

/** Some browsers lay out what is folded, others give it no width to draw in. */
const hasWidth = (fold) => fold.querySelector('.fold-body').clientWidth > 0;

export class Folding {
  /** @param {{title: string, element: HTMLElement, fold: HTMLDetailsElement, drawings: (() => void|Promise<void>)[]}[]} sections */
  constructor(sections) {
    this.sections = sections;
    this.undrawn = new Map(sections.map((section) => [section.fold, section.drawings]));
    this.turn = Promise.resolve();
    sections.forEach(({ fold }) => fold.addEventListener('toggle', () => { if (fold.open) this.draw(fold); }));
    addEventListener('hashchange', () => this.follow());
    addEventListener('beforeprint', () => document.querySelectorAll('details.fold, .answer details, details.rests').forEach((each) => { each.open = true; }));
  }

  /** Charts one after the other, so that the page can be read meanwhile. */
  draw(fold) {
    const drawings = this.undrawn.get(fold) ?? [];
    this.undrawn.delete(fold);
    this.turn = this.turn.then(async () => {
      for (const drawing of drawings) {
        await drawing();
        await moment();
      }
      document.documentElement.dataset.drawn = this.undrawn.size === 0 ? 'all' : 'opened';
    });
    return this.turn;
  }

  async drawOpen() {
    for (const { fold } of this.sections) if (fold.open) this.draw(fold);
    if (this.undrawn.size === this.sections.length) document.documentElement.dataset.drawn = this.sections.length === 0 ? 'all' : 'opened';
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

  /** For the button; the browser's own command comes when all has been drawn, or too early. */
  async print() {
    this.unfold();
    this.sections.forEach(({ fold }) => this.draw(fold));
    await this.turn;
    print();
  }

  /** Opens all, for whoever reads on or prints. */
  unfold() {
    this.sections.forEach(({ fold }) => { fold.open = true; });
  }

  /** To what the address names. */
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
