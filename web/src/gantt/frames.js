// Pages of one replica side by side in the page of `gridcast open`: they show the same times on one axis, and a job
// chosen in one is shown in the other. Only pages of the same server receive it.

const isFramed = () => window.parent !== window && /^https?:$/.test(location.protocol);

/** @param {import('./view.js').GanttView} view */
export function joinFrames(view) {
  if (!isFramed()) return;
  let receives = false;
  const send = (data) => { if (!receives) window.parent.postMessage({ gridcast: true, ...data }, location.origin); };
  view.onFollow = (job) => send({ job });
  view.onLook = ({ t0, t1 }) => send({ look: [t0, t1] });
  const receive = ({ job, look, span, hello }) => {
    if (hello) window.parent.postMessage({ gridcast: true, span: [view.t0, view.t1] }, location.origin);
    if (job !== undefined) view.show(job);
    if (look) view.look({ ...view.win, t0: look[0], t1: look[1] });
    const wider = span && (span[0] < view.t0 || span[1] > view.t1);
    if (wider) view.span(Math.min(span[0], view.t0), Math.max(span[1], view.t1));
  };
  addEventListener('message', ({ origin, source, data }) => {
    if (origin !== location.origin || source !== window.parent || data?.gridcast !== true) return;
    receives = true;
    receive(data);
    receives = false;
  });
  send({ span: [view.t0, view.t1], hello: true }); // the other one answers with its own span
}

/** In the page around them. @param {() => HTMLIFrameElement[]} frames */
export function passOn(frames) {
  addEventListener('message', ({ origin, source, data }) => {
    if (origin !== location.origin || data?.gridcast !== true) return;
    const windows = frames().map((frame) => frame.contentWindow);
    if (!windows.includes(source)) return;
    windows.filter((each) => each !== source).forEach((each) => each?.postMessage(data, location.origin));
  });
}
