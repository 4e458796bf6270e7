/** A drawn chart. As an image it runs no script and requests nothing. */
export const ChartImage = ({ svg, label }: { readonly svg: string; readonly label: string }) => (
  <div aria-label={label} className="chart-scroll" role="region" tabIndex={0}>
    <img alt="" className="chart" src={`data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`} />
  </div>
);
