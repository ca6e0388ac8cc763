import { Alert, Burger, Text, VisuallyHidden } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconSelector, IconUserOff } from '@tabler/icons-react'
import { skipToken, useQuery } from '@tanstack/react-query'
import { Link, Outlet, useMatches, useMatchRoute, useParams, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { api } from '../api.ts'
import { Live } from '../live/Live.tsx'
import { NotificationBell } from '../notifications/NotificationBell.tsx'
import { useSession } from '../session.ts'
import { RouterAnchor } from '../ui/ButtonLink.tsx'
import { failureOf } from '../ui/failure.ts'
import { useLazyDialog } from '../ui/lazy.ts'
import { OfflineBanner } from '../ui/offline.tsx'
import { useRole } from '../use-role.ts'
import { AccountMenu } from './AccountMenu.tsx'
import { Brand } from './Brand.tsx'
import { HeaderPanel } from './HeaderPanel.tsx'
import { accountViews, type MenuItem, operatorViews, spaceViewsFor } from './menu.tsx'
import navigation from './Navigation.module.css'
import { SearchButton, ShortcutDialogs } from './SearchButton.tsx'
import classes from './Shell.module.css'
import { useGoKey } from './single-keys.ts'
import { useShortcuts } from './use-shortcuts.ts'

/** Paths of views that keep the menu of the last space: views of the account, and of a space that is still loading. */
const KEEPS_MENU = /^\/(?:account(?:\/|$)|spaces\/)/

/** Returns the space whose menu is shown: the open space or, in views of the account, the last one that was open. */
const useMenuSpace = (path: string): string | undefined => {
  const { subdomain } = useParams({ strict: false })
  const isMissing = useMatches({
    select: matches => {
      const space = matches.find(({ routeId }) => routeId === '/signed-in/spaces/$subdomain')
      return Boolean(space?.error) && failureOf(space?.error).code === 'space_not_found'
    },
  })
  const [last, setLast] = useState(subdomain)
  const kept = subdomain ?? (KEEPS_MENU.test(path) ? last : undefined)
  const current = isMissing ? undefined : kept
  if (current !== last) setLast(current)
  return current
}

/** The name of a space; its subdomain until the router has loaded the space. */
const useSpaceName = (subdomain: string | undefined): string | undefined => {
  // The router loads it, so only its result is observed here.
  const { data } = useQuery(
    api.space.get.queryOptions(subdomain ? { subdomain } : skipToken, { enabled: false }),
  )
  return data?.name ?? subdomain
}

/** Layout of the views for signed-in people: header, navigation and the current view. */
export const Shell = () => {
  const [isOpen, { toggle, close }] = useDisclosure()
  const path = useRouterState({ select: state => state.location.pathname })
  const menuSpace = useMenuSpace(path)
  const { isGoing, ...shortcuts } = useShortcuts()
  const isWide = useMatches({ select: matches => matches.some(({ staticData }) => staticData.isWide) })
  const keepsFocus = useRouterState({ select: state => state.location.state.keepsFocus })
  const main = useRef<HTMLElement>(null)
  const currentPath = useRef(path)

  // Move the focus to the new view, as if a page had loaded, unless the view has already focused a field.
  useEffect(() => {
    if (currentPath.current === path) return
    currentPath.current = path
    close()
    const isFieldFocused = document.activeElement?.closest('[data-autofocus]')
    if (!keepsFocus && !isFieldFocused) main.current?.focus({ preventScroll: true })
  }, [path, close, keepsFocus])

  return (
    <div className={classes.shell}>
      <a
        className="skip"
        href={`${globalThis.location.pathname}#main`}
        onClick={event => {
          event.preventDefault()
          main.current?.focus()
        }}
      >
        Skip to content
      </a>
      <header className={classes.header}>
        <div className={classes.start}>
          <Burger
            opened={isOpen}
            onClick={toggle}
            hiddenFrom="sm"
            size="sm"
            aria-label={isOpen ? 'Close navigation' : 'Open navigation'}
            aria-expanded={isOpen}
          />
          <Link to="/" aria-label="Space Site, your spaces" className={classes.home ?? ''}>
            <Brand isCompact />
          </Link>
          <SpaceSwitcher subdomain={menuSpace} />
        </div>
        <div className={classes.end}>
          <Live subdomain={menuSpace} />
          <SearchButton search={shortcuts.search} />
          <NotificationBell />
          <AccountMenu showShortcuts={shortcuts.shortcuts.open} />
        </div>
      </header>
      <nav
        aria-label="Sections"
        className={classes.navigation}
        data-open={isOpen || undefined}
        data-going={isGoing || undefined}
      >
        <Navigation subdomain={menuSpace} />
      </nav>
      <main id="main" className={classes.main} tabIndex={-1} ref={main}>
        <OfflineBanner />
        <SuspensionBanner />
        <div className={classes.view} data-wide={isWide || undefined}>
          <Outlet />
        </div>
      </main>
      <ShortcutDialogs {...shortcuts} subdomain={menuSpace} />
    </div>
  )
}

/** The main navigation: the open space, and the person's own views. */
export const Navigation = ({ subdomain }: { subdomain: string | undefined }) => {
  const matches = useMatchRoute()
  const name = useSpaceName(subdomain)
  const goKey = useGoKey()
  const { is_operator: isOperator } = useSession()
  const role = useRole(subdomain)
  const list = (items: MenuItem[], params: Record<string, string>) =>
    items.map(({ to, label, icon, letter, exact, also = [] }) => {
      const active =
        Boolean(matches({ to, params, fuzzy: !exact })) || also.some(to => matches({ to, params }))
      return (
        <RouterAnchor
          key={to}
          to={to}
          params={params}
          activeOptions={{ exact: exact ?? false }}
          className={navigation.link ?? ''}
          aria-current={active ? 'page' : undefined}
          {...goKey(letter)}
        >
          {icon}
          {label}
        </RouterAnchor>
      )
    })
  return (
    <>
      {subdomain && (
        <nav aria-label="Space" className={navigation.group}>
          <div className={navigation.heading}>{name}</div>
          {list(spaceViewsFor(role), { subdomain })}
        </nav>
      )}
      <nav aria-label="You" className={navigation.group}>
        <div className={navigation.heading}>You</div>
        {list(accountViews, {})}
        {isOperator && list(operatorViews, {})}
      </nav>
    </>
  )
}

const load = async () => (await import('../search/SpaceChoice.tsx')).SpaceChoice

/** Opens another space. */
export const SpaceSwitcher = ({ subdomain }: { subdomain: string | undefined }) => {
  const name = useSpaceName(subdomain)
  const { Dialog, isOpen, open, close } = useLazyDialog(load)
  return (
    <HeaderPanel
      label="Switch space"
      width={22}
      isOpen={isOpen}
      onOpen={open}
      onClose={close}
      panel={Dialog && <Dialog subdomain={subdomain} onClose={close} />}
      style={{ flex: '0 1 auto', minWidth: 0 }}
      c="var(--mantine-color-text)"
      rightSection={<IconSelector size={16} aria-hidden />}
    >
      <VisuallyHidden>Switch space: </VisuallyHidden>
      <span className={classes.space}>{name ?? 'Spaces'}</span>
    </HeaderPanel>
  )
}

/** Tells a person that their account is suspended, why, and what they can still do. */
export const SuspensionBanner = () => {
  const { suspension } = useSession()
  if (!suspension) return null
  return (
    <Alert
      color="red"
      icon={<IconUserOff aria-hidden />}
      title="Your account is suspended"
      mb="md"
      maw="80rem"
      mx="auto"
    >
      <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        Reason: <bdi>{suspension.reason}</bdi>
      </Text>
      <Text size="sm" mt="xs">
        Your posts and comments are hidden, and you can’t post, comment, like, follow, report, change your
        profile or create spaces. You can still read, export and delete your own content, and use your spaces.
      </Text>
    </Alert>
  )
}
