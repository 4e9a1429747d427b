// Two pages of the same luck side by side in the page of `gridcast open`: the job that is chosen in one
// is shown in the other. Only pages of the same server are told.

const isFramed = () => window.parent !== window && /^https?:$/.test(location.protocol);

/** @param {import('./view.js').GanttView} view */
export function joinFrames(view) {
  if (!isFramed()) return;
  let told = null; // by the other page
  view.onFollow = (job) => { if (job !== told) window.parent.postMessage({ gridcast: 'job', job }, location.origin); };
  addEventListener('message', ({ origin, source, data }) => {
    if (origin !== location.origin || source !== window.parent || data?.gridcast !== 'job') return;
    told = data.job;
    view.show(data.job);
    told = null;
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
