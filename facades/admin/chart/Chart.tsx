import { Text, VisuallyHidden } from '@mantine/core'
import { formatNumber } from '../ui/numbers.ts'
import classes from './chart.module.css'

/** The smallest number of the form 1, 2 or 5 with zeros that is not below a value, and at least 5. */
const roundUp = (value: number): number => {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1)))
  return Math.max(5, [1, 2, 5, 10].map(step => step * power).find(step => step >= value)!)
}

/** Width of a bar, as a share of the space that it has. */
const WIDTH = 0.76

/** The looks of a series. */
export type Look = 'whole' | 'part' | 'refused' | 'limited' | 'failed'

/** What one number of each bar stands for. */
export interface Series {
  name: string
  look: Look
}

/** One bar of the chart. */
export interface Bar {
  /** The time that the bar begins, in words. */
  label: string
  /** A number for each series. */
  values: readonly number[]
  /** The height at which each series ends; by default its value. A later series is drawn over the earlier ones. */
  heights?: readonly number[]
}

interface ChartProps {
  /** What the chart shows, such as "Views and visitors by day". */
  title: string
  /** What a bar stands for, as the heading of its column. */
  unit: string
  series: readonly Series[]
  bars: readonly Bar[]
}

/** Shows numbers as bars. Screen readers get the same numbers as a table. */
export const Chart = ({ title, unit, series, bars }: ChartProps) => {
  const heightsOf = ({ values, heights = values }: Bar) => heights
  const top = roundUp(Math.max(...bars.map(bar => Math.max(...heightsOf(bar)))))
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
          {bars.map((bar, index) => (
            <g key={bar.label}>
              <title>
                {bar.label}:{' '}
                {series.map(({ name }, n) => `${name} ${formatNumber(bar.values[n]!)}`).join(', ')}
              </title>
              {/* The whole column, so that the title appears over an empty day too. */}
              <rect x={index} y={0} width={1} height={100} className={classes.column} />
              {series.map(({ name, look }, n) => {
                const height = (heightsOf(bar)[n]! / top) * 100
                return (
                  <rect
                    key={name}
                    x={index + (1 - WIDTH) / 2}
                    y={100 - height}
                    width={WIDTH}
                    height={height}
                    className={classes[look]}
                  />
                )
              })}
            </g>
          ))}
        </svg>
        <div className={classes.axis}>
          <span>{bars[0]?.label}</span>
          <span className={classes.legend}>
            {series.map(({ name, look }) => (
              <span key={name}>
                <i className={classes[look]} /> {name}
              </span>
            ))}
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
              {series.map(({ name }) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {bars.map(({ label, values }) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                {series.map(({ name }, n) => (
                  <td key={name}>{formatNumber(values[n]!)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </VisuallyHidden>
    </div>
  )
}

/** Formats a day of UTC, given in ms: "27 Nov". */
export const formatDay = (day: number): string => shownDay.format(day)

const shownDay = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' })
