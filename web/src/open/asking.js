// One question at a time: a new one ends the one before. The last complete answer stays, for
// comparison; a question that cannot be answered leaves the answer that there is.
import { ask } from './api.js';

export class Asking {
  /** @param {(state: {answer: any, last: any, words: string, running: boolean, problem: string}) => void} show */
  constructor(show) {
    Object.assign(this, { show, answer: null, last: null, abort: null, timer: 0, question: null, answered: null });
  }

  /** After a moment, in which more may be turned. */
  soon(question, delay = 150) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.now(question()), delay);
  }

  cancel() {
    clearTimeout(this.timer);
    this.abort?.abort();
  }

  /** Forgets the answer: another scenario has nothing to be compared with. */
  reset() {
    this.cancel();
    this.answer = this.last = this.answered = null;
  }

  tell(words, running, problem = '') {
    this.show({ answer: this.answer, last: this.last, words, running, problem });
  }

  async now(question) {
    this.abort?.abort();
    const abort = new AbortController();
    this.abort = abort;
    this.question = question;
    this.tell('Asking …', true);
    try {
      let end = null;
      await ask(question, abort.signal, (line) => {
        if (abort.signal.aborted) return;
        if (line.schema === 'gridcast.answer/1') this.grown(line);
        else end = line;
      });
      if (!abort.signal.aborted) this.ended(end);
    } catch (error) {
      if (!abort.signal.aborted) this.tell('', false, error.message);
    }
  }

  grown(answer) {
    if (this.answered !== this.question && this.answer?.last) this.last = this.answer;
    this.answered = this.question;
    this.answer = answer;
    this.tell(answer.last ? `${answer.replicas} campaigns` : `${answer.replicas} of ${answer.requested} campaigns`, !answer.last);
  }

  ended(end) {
    if (end?.cancelled) return this.tell('Stopped, because another question came.', false);
    if (end?.problem) return this.tell('', false, end.problem);
    if (end?.exit && !this.answer?.last) return this.tell('', false, end.complaints);
    return this.tell(`${this.answer.replicas} campaigns`, false, end?.exit ? end.complaints : '');
  }
}
