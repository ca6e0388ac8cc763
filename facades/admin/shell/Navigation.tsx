import { NavLink, Text } from '@mantine/core'
import { useMatchRoute } from '@tanstack/react-router'
import { useSession } from '../session.ts'
import { accountViews, type MenuItem, operatorViews, spaceViews } from './menu.tsx'
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
        <NavLink
          key={to}
          renderRoot={props => (
            <RouterAnchor to={to} params={params} activeOptions={{ exact: exact ?? false }} {...props} />
          )}
          label={label}
          leftSection={icon}
          active={active}
          aria-current={active ? 'page' : undefined}
        />
      )
    })
  return (
    <>
      {subdomain && (
        <nav aria-label="Space">
          <Text size="sm" fw={650} px="sm" py={6} truncate>
            {subdomain}
          </Text>
          {list(spaceViews, { subdomain })}
        </nav>
      )}
      <nav aria-label="You">
        <Text size="sm" fw={650} px="sm" pt={subdomain ? 'lg' : 6} pb={6}>
          You
        </Text>
        {list(accountViews, {})}
        {isOperator && list(operatorViews, {})}
      </nav>
    </>
  )
}
