import { formatNumber } from '../ui/numbers.ts'
import classes from './chart.module.css'

interface FiguresProps {
  /** The names and values; a value that is not exact is a text. */
  figures: readonly (readonly [name: string, value: number | string])[]
}

/** The numbers that matter, above a chart. */
export const Figures = ({ figures }: FiguresProps) => (
  <dl className={classes.figures}>
    {figures.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{typeof value === 'number' ? formatNumber(value) : value}</dd>
      </div>
    ))}
  </dl>
)
