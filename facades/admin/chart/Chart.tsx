import { Text, VisuallyHidden } from '@mantine/core'
import { counted, formatNumber } from '../ui/numbers.ts'
import type { Bar } from './bars.ts'
import classes from './visits.module.css'

/** The smallest number of the form 1, 2 or 5 with zeros that is not below a value, and at least 5. */
const roundUp = (value: number): number => {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1)))
  return Math.max(5, [1, 2, 5, 10].map(step => step * power).find(step => step >= value)!)
}

/** Width of a bar, as a share of the space that it has. */
const WIDTH = 0.76

interface ChartProps {
  /** What the chart shows, such as "Views and visitors by day". */
  title: string
  /** What a bar stands for, as the heading of its column. */
  unit: string
  bars: readonly Bar[]
}

/**
 * Shows views as bars, and visitors as the darker part of each bar. Screen readers get the same numbers as a table.
 */
export const Chart = ({ title, unit, bars }: ChartProps) => {
  const top = roundUp(Math.max(...bars.map(({ views }) => views)))
  const hasVisitors = bars.some(({ visitors }) => visitors !== null)
  const height = (value: number) => (value / top) * 100
  return (
    <div className={classes.chart}>
      <div aria-hidden>
        <Text size="xs" c="dimmed" className={classes.top}>
          {formatNumber(top)}
        </Text>
        <svg
          viewBox={`0 0 ${bars.length} 100`}
          preserveAspectRatio="none"
          className={classes.bars}
          aria-hidden
        >
          {bars.map(({ label, views, visitors }, index) => (
            <g key={label}>
              <title>
                {label}: {counted(views, 'view')}
                {visitors === null ? '' : `, ${counted(visitors, 'visitor')}`}
              </title>
              {/* The whole column, so that the title appears over an empty day too. */}
              <rect x={index} y={0} width={1} height={100} className={classes.column} />
              <rect
                x={index + (1 - WIDTH) / 2}
                y={100 - height(views)}
                width={WIDTH}
                height={height(views)}
                className={classes.views}
              />
              {visitors !== null && (
                <rect
                  x={index + (1 - WIDTH) / 2}
                  y={100 - height(Math.min(views, visitors))}
                  width={WIDTH}
                  height={height(Math.min(views, visitors))}
                  className={classes.visitors}
                />
              )}
            </g>
          ))}
        </svg>
        <div className={classes.axis}>
          <span>{bars[0]?.label}</span>
          <span className={classes.legend}>
            <i className={classes.views} /> Views
            {hasVisitors && (
              <>
                <i className={classes.visitors} /> Visitors
              </>
            )}
          </span>
          <span>{bars.at(-1)?.label}</span>
        </div>
      </div>
      <VisuallyHidden>
        <table>
          <caption>{title}</caption>
          <thead>
            <tr>
              <th scope="col">{unit}</th>
              <th scope="col">Views</th>
              {hasVisitors && <th scope="col">Visitors</th>}
            </tr>
          </thead>
          <tbody>
            {bars.map(({ label, views, visitors }) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td>{formatNumber(views)}</td>
                {visitors !== null && <td>{formatNumber(visitors)}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </VisuallyHidden>
    </div>
  )
}
