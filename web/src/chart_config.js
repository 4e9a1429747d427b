// The look of all charts. Ink, rules and paper come from the page's style (css/charts.css): they
// follow light, dark and print without drawing again.

const font = 'system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif';

/** @param {boolean} narrow a phone */
export const chartConfig = (narrow) => ({
  aria: false, // the figure around it speaks for it
  background: null,
  font,
  padding: { left: 0, right: 8, top: 4, bottom: 4 },
  view: { stroke: null },
  axis: {
    labelFontSize: 12, titleFontSize: 12, titleFontWeight: 'normal', titlePadding: 8,
    labelLimit: narrow ? 110 : 260, labelOverlap: true, ticks: false, domain: false, labelPadding: 6,
  },
  axisQuantitative: { grid: true, tickCount: narrow ? 4 : 6 },
  axisBand: { grid: false },
  axisPoint: { grid: false },
  legend: { orient: 'top', direction: 'horizontal', labelFontSize: 12, title: null, columns: narrow ? 2 : 6, labelLimit: 180, symbolType: 'square', offset: 8 },
  line: { strokeWidth: 2, strokeJoin: 'round' },
  text: { fontSize: 11 },
  bar: { cornerRadiusEnd: 1 },
});
