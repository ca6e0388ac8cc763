import { useMatchRoute } from '@tanstack/react-router'
import { useSession } from '../session.ts'
import { accountViews, type MenuItem, operatorViews, spaceViews } from './menu.tsx'
import classes from './Navigation.module.css'
import { RouterAnchor } from './RouterAnchor.tsx'

/** The main navigation: the open space, and the person's own views. */
export const Navigation = ({ subdomain }: { subdomain: string | undefined }) => {
  const matches = useMatchRoute()
  const { is_operator: isOperator } = useSession()
  const list = (items: MenuItem[], params: Record<string, string>) =>
    items.map(({ to, label, icon, exact, also = [] }) => {
      const active =
        Boolean(matches({ to, params, fuzzy: !exact })) || also.some(to => matches({ to, params }))
      return (
        <RouterAnchor
          key={to}
          to={to}
          params={params}
          activeOptions={{ exact: exact ?? false }}
          className={classes.link ?? ''}
          aria-current={active ? 'page' : undefined}
        >
          {icon}
          {label}
        </RouterAnchor>
      )
    })
  return (
    <>
      {subdomain && (
        <nav aria-label="Space" className={classes.group}>
          <div className={classes.heading}>{subdomain}</div>
          {list(spaceViews, { subdomain })}
        </nav>
      )}
      <nav aria-label="You" className={classes.group}>
        <div className={classes.heading}>You</div>
        {list(accountViews, {})}
        {isOperator && list(operatorViews, {})}
      </nav>
    </>
  )
}
