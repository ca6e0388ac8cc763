import { AppShell, Burger, Group } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link, Outlet, useMatches, useParams, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { failureOf } from '../feedback/failure.ts'
import { NotificationBell } from '../notifications/NotificationBell.tsx'
import { AccountMenu } from './AccountMenu.tsx'
import { Brand } from './Brand.tsx'
import { Navigation } from './Navigation.tsx'
import { OfflineBanner } from './OfflineBanner.tsx'
import { SearchButton, ShortcutDialogs, useShortcuts } from './SearchButton.tsx'
import { SpaceSwitcher } from './SpaceSwitcher.tsx'
import { SuspensionBanner } from './SuspensionBanner.tsx'

/** Paths of views that keep the menu of the last space: views of the account, and of a space that is still loading. */
const KEEPS_MENU = /^\/(?:account(?:\/|$)|spaces\/)/

/** Returns the space whose menu is shown: the open space, or in views of the account the space that was open last. */
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

/** Layout of the views for signed-in people: header, navigation and the current view. */
export const Shell = () => {
  const [isOpen, { toggle, close }] = useDisclosure()
  const path = useRouterState({ select: state => state.location.pathname })
  const menuSpace = useMenuSpace(path)
  const shortcuts = useShortcuts()
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
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 248, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'md', md: 'xl' }}
      transitionDuration={0}
    >
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
      {/* Above the navigation, because the space switcher opens over it. */}
      <AppShell.Header zIndex={102}>
        <Group h="100%" px={{ base: 'xs', sm: 'md' }} gap={4} justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap" style={{ minWidth: 0 }}>
            <Burger
              opened={isOpen}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={isOpen ? 'Close navigation' : 'Open navigation'}
              aria-expanded={isOpen}
            />
            <Link
              to="/"
              aria-label="Space Site, your spaces"
              style={{ color: 'inherit', textDecoration: 'none' }}
            >
              <Brand isCompact />
            </Link>
            <SpaceSwitcher subdomain={menuSpace} />
          </Group>
          <Group gap={4} wrap="nowrap" style={{ flex: 'none' }}>
            <SearchButton search={shortcuts.search} />
            <NotificationBell />
            <AccountMenu showShortcuts={shortcuts.shortcuts.open} />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar aria-label="Sections">
        <AppShell.Section grow p="sm" style={{ overflowY: 'auto' }}>
          <Navigation subdomain={menuSpace} />
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1} ref={main}>
        <OfflineBanner />
        <SuspensionBanner />
        <div style={{ maxWidth: isWide ? '120rem' : '80rem', margin: '0 auto' }}>
          <Outlet />
        </div>
      </AppShell.Main>
      <ShortcutDialogs {...shortcuts} subdomain={menuSpace} />
    </AppShell>
  )
}
