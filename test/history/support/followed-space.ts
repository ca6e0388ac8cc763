import { isDeepStrictEqual } from 'node:util'
import type { Client } from 'pg'
import { expect } from 'vitest'
import { errorCodeOf } from '../../support/problems.ts'
import type { TestSpace } from '../../support/test-service.ts'
import { pack } from '../../transfer/support/archives.ts'
import type { Mover } from '../../transfer/support/browser-session.ts'
import { type KeyWrite, type Kind, pick, type Restore, type Undo, type Write } from './undo-steps.ts'

/** Selects the names and content of all items of a space, without versions and update times. */
const CONTENT = `
  with space as (select id, name from spaces where subdomain = $1)
  select 'page ' || pages.id as item, slug as name, concat_ws(' ', kind, includes, pages.created_at, html) as content
    from pages, space where space_id = space.id
  union all select 'part ' || parts.id, parts.name, concat_ws(' ', includes, parts.created_at, html)
    from parts, space where space_id = space.id
  union all select 'record ' || key, key, coalesce(description, '') || ': ' || value
    from data_records, space where space_id = space.id
  union all select 'file ' || files.id, files.name, concat_ws(' ', content_type, files.created_at, position, convert_from(bytes, 'UTF8'))
    from files join blobs using (space_id, digest), space where space_id = space.id
  union all select 'space name', name, '' from space
  union all select 'space icon', '', encode(sha256(png), 'hex') from icons, space where space_id = space.id`

interface Item {
  name: string
  content: string
}

/** A change, with the state of the item before it. */
interface Entry {
  id: string
  at: string
  actor: string
  operation: string | null
  item: string
  before: Item | undefined
}

const kindOf = (item: string) => item.split(' ')[0]
const itemOf = (item: { kind: string; thing: string }) => `${item.kind} ${item.thing}`

/** How items of each kind are written over REST, and stored in archives. */
const FORMATS: Record<Kind, { path: string; name: string; content: string; archived: string }> = {
  page: { path: '/pages', name: 'slug', content: 'html', archived: 'pages/*.html' },
  part: { path: '/parts', name: 'name', content: 'html', archived: 'parts/*.html' },
  record: { path: '/data', name: 'description', content: 'value', archived: 'data/*.json' },
  file: { path: '/files', name: 'name', content: 'content', archived: 'files/*.txt' },
}

/** Returns a REST body that sets the kind of a page, what a part includes, or the content type of a file. */
const fieldOf = (kind: Kind, { name, is }: { name: string; is: boolean }) => {
  if (kind === 'page') return { kind: is ? 'static' : 'scripted' }
  return kind === 'file' ? { name: `${name}.${is ? 'css' : 'txt'}` } : { html: is ? "{% render 'd' %}" : '1' }
}

/**
 * Whether all unselected changes of an item were reverted. This is true if the item's state directly after each
 * selected change equals the state directly before the next selected change. The state directly after the last selected
 * change must equal `current`.
 *
 * @param changes the first selected change of the item, and all later changes of the item
 * @param current the item's state after all these changes
 */
const isReverted = (
  changes: readonly Entry[],
  isSelected: (entry: Entry) => boolean,
  current: Item | undefined,
): boolean => {
  const places = changes.flatMap((entry, place) => (isSelected(entry) ? place : []))
  const stateAt = (place: number) => (place < changes.length ? changes[place]!.before : current)
  return places.every((place, n) =>
    isDeepStrictEqual(stateAt(place + 1), stateAt(places[n + 1] ?? changes.length)),
  )
}

interface Setup {
  client: Client
  /** The person who owns the space. */
  mover: Mover
  space: TestSpace
  /** The kind of the items in the space. */
  kind: Kind
  /** PNGs in base64. */
  icons: readonly string[]
}

/** A space that records the content before each of its changes, to compare with the result of an undo. */
export interface FollowedSpace {
  /**
   * Runs a write. The service can refuse the write, because the item does not exist or another item has the new name.
   * If the write is a restore, also checks the content of the space afterwards.
   */
  run: (step: Write) => Promise<void>
  /**
   * Previews an undo and runs it. Checks that it does what the preview said, and that each undone item is as it was
   * before the undone changes.
   */
  undo: (step: Undo) => Promise<void>
}

/**
 * Returns a followed space. Creates two items first, so that later steps can change existing items. The key that
 * creates these items is not used afterwards.
 */
export const followSpace = async ({ client, mover, space, kind, icons }: Setup): Promise<FollowedSpace> => {
  const { owner, subdomain } = space
  const { history } = owner
  const format = FORMATS[kind]
  const trail: Entry[] = []
  let content = new Map<string, Item>()

  /** Adds the latest changes to the trail. */
  const follow = async () => {
    const { changes } = await history.list({ subdomain })
    const known = changes.findIndex(({ id }) => id === trail.at(-1)?.id)
    for (const change of changes.slice(0, known === -1 ? undefined : known).toReversed()) {
      const { id, at, actor, operation } = change
      const item = itemOf(change)
      trail.push({ id, at, actor: actor.id, operation, item, before: content.get(item) })
    }
    const { rows } = await client.query<Item & { item: string }>(CONTENT, [subdomain])
    content = new Map(rows.map(({ item, ...state }) => [item, state]))
  }

  const write = (api: TestSpace['api'], step: KeyWrite) => {
    if (kind === 'record') {
      const at = `${format.path}/${step.name}`
      if (step.do === 'delete') return api.delete(at)
      if (step.do === 'write') return api.put(at, { value: step.text })
      const description = step.do === 'rename' ? step.to : step.is ? 'described' : null
      return api.put(at, { value: '', description })
    }
    const nameOf = (short: string) => (kind === 'file' ? `${short}.txt` : short)
    const found = [...content].find(
      ([item, state]) => kindOf(item) === kind && state.name.replace(/\..*/, '') === step.name,
    )
    const at = `${format.path}/${found?.[0].slice(kind.length + 1)}`
    if (step.do === 'delete') return api.delete(at)
    if (step.do === 'rename') return api.patch(at, { [format.name]: nameOf(step.to) })
    if (step.do === 'set field') return api.patch(at, fieldOf(kind, step))
    const body = { [format.content]: step.text, ...(kind === 'file' ? { encoding: 'text' } : {}) }
    return found ? api.patch(at, body) : api.post(format.path, { [format.name]: nameOf(step.name), ...body })
  }

  /** Returns the state of an item after a change: the state before its next change, or the current state. */
  const stateAfter = (entry: Entry): Item | undefined => {
    const next = trail.slice(trail.indexOf(entry) + 1).find(({ item }) => item === entry.item)
    return next ? next.before : content.get(entry.item)
  }

  /** Restores a state and checks the result. If another item has the state's name, the restore changes nothing. */
  const restore = async ({ which, side }: Restore) => {
    const entry = pick(trail, which)!
    const restored = side === 'before' ? entry.before : stateAfter(entry)
    const expected = new Map(content)
    const code = await errorCodeOf(history.restore({ subdomain, change_id: entry.id, side }))
    expect(code).toBeOneOf([undefined, 'slug_taken', 'part_name_taken'])
    if (code === undefined && restored) expected.set(entry.item, restored)
    else if (code === undefined) expected.delete(entry.item)
    await follow()
    expect(Object.fromEntries(content)).toEqual(Object.fromEntries(expected))
  }

  const send = async (keys: readonly [TestSpace['api'], TestSpace['api']], step: Write) => {
    if (step.do === 'set name') await owner.spaces.rename({ subdomain, name: step.text })
    else if (step.do === 'set icon' && step.icon === null) await owner.spaces.removeIcon({ subdomain })
    else if (step.do === 'set icon') await owner.spaces.setIcon({ subdomain, png: icons[step.icon!]! })
    else if (step.do === 'restore') await restore(step)
    else if (step.do === 'import') {
      const files = step.names.map(name => ({
        path: format.archived.replace('*', name),
        content: step.text,
      }))
      expect((await mover.put(subdomain, await pack(...files))).status).toBe(200)
    } else {
      const { status } = await write(keys[(step.name === 'a') === (step.key === 'own') ? 0 : 1], step)
      expect(status).toBeOneOf([200, 201, 204, 404, 409])
    }
  }

  /** Selects changes by their actor and time, or by their operation. */
  const select = ({ of, which, since }: Undo) => {
    const chosen = pick([...new Set(trail.map(entry => entry[of]).filter(id => id !== null))], which)
    const at = pick(
      trail.filter(entry => entry[of] === chosen),
      since,
    )?.at
    return {
      isSelected: (entry: Entry) => entry[of] === chosen && (of === 'operation' || entry.at >= at!),
      selection: chosen && {
        subdomain,
        ...(of === 'actor' ? { actor: chosen, since: at } : { operation: chosen }),
      },
    }
  }

  const undo = async (step: Undo) => {
    const { selection, isSelected } = select(step)
    if (!selection) return
    const { plan, ...preview } = await history.previewUndo(selection)
    const before = content
    const known = trail.length
    const { operation, ...undone } = await history.undo({ ...selection, plan })
    expect(undone).toEqual({ plan, ...preview })
    const steps = new Set(preview.steps.map(itemOf))
    expect(operation === null).toBe(steps.size === 0)
    await follow()
    // The undo is one operation with one change of each item.
    expect(trail.slice(known).map(entry => entry.operation)).toEqual(preview.steps.map(() => operation))

    const skipped = (reason: string) =>
      new Set(preview.skipped.filter(item => item.reason === reason).map(itemOf))
    const waiting = skipped('name_taken')
    const changed = skipped('changed_since')
    /** The first selected change of each item, and the changes after it. */
    const touched = new Map<string, [Entry, ...Entry[]]>()
    for (const entry of trail.slice(0, known)) {
      const entries = touched.get(entry.item)
      if (entries) entries.push(entry)
      else if (isSelected(entry)) touched.set(entry.item, [entry])
    }
    for (const item of new Set([...before.keys(), ...content.keys(), ...touched.keys()])) {
      const changes = touched.get(item)
      const isOwn = changes !== undefined && isReverted(changes, isSelected, before.get(item))
      const isUndone = isOwn && !waiting.has(item)
      // The undo restores the earlier state of an item with selected changes under two conditions: the item's
      // unselected changes had already been reverted, and the item's earlier name is free. All other items stay
      // unchanged.
      expect(content.get(item)).toEqual(isUndone ? changes[0].before : before.get(item))
      if (steps.has(item)) expect(isUndone).toBe(true)
      if (waiting.has(item)) expect(isOwn).toBe(true)
      if (changed.has(item)) expect([changes !== undefined, isOwn]).toEqual([true, false])
    }
    for (const item of waiting) {
      // Another item holds the name. If that holder waits for a name too, find the holder of that name, and so on,
      // until a holder does not wait.
      let holder: string | undefined = item
      for (let n = 0; n <= waiting.size && holder !== undefined && waiting.has(holder); n += 1) {
        const { name }: Item = touched.get(holder)![0].before!
        holder = [...content].find(([other, state]) => kindOf(other) === kind && state.name === name)?.[0]
      }
      expect(holder).toBeDefined()
      expect(waiting).not.toContain(holder)
    }
  }

  const runWith = (keys: Parameters<typeof send>[0]) => async (step: Write) => {
    await send(keys, step)
    await follow()
  }
  await follow()
  const begin = runWith([space.api, space.api])
  for (const name of ['a', 'b']) await begin({ do: 'write', key: 'own', name, text: '0' })
  const issue = () => space.apiWith('pages', 'data', 'files', 'files_write')
  return { run: runWith([await issue(), await issue()]), undo }
}
