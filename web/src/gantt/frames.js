// Two pages of one replica side by side in the page of `gridcast open`: a job chosen in one is
// shown in the other. Only pages of the same server receive it.

const isFramed = () => window.parent !== window && /^https?:$/.test(location.protocol);

/** @param {import('./view.js').GanttView} view */
export function joinFrames(view) {
  if (!isFramed()) return;
  let received = null; // by the other page
  view.onFollow = (job) => { if (job !== received) window.parent.postMessage({ gridcast: 'job', job }, location.origin); };
  addEventListener('message', ({ origin, source, data }) => {
    if (origin !== location.origin || source !== window.parent || data?.gridcast !== 'job') return;
    received = data.job;
    view.show(data.job);
    received = null;
  });
}

/** In the page around them. @param {() => HTMLIFrameElement[]} frames */
export function passJobsOn(frames) {
  addEventListener('message', ({ origin, source, data }) => {
    if (origin !== location.origin || data?.gridcast !== 'job') return;
    const windows = frames().map((frame) => frame.contentWindow);
    if (!windows.includes(source)) return;
    windows.filter((each) => each !== source).forEach((each) => each?.postMessage(data, location.origin));
  });
}
