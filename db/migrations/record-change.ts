/** The item, the body and the digest of a row, as SQL; `row` is `old` or `new`. */
interface Recorded {
  id: string
  body?: string
  size: string
  digest: (row: string) => string
}

const text = (id: string, body: string): Recorded => ({
  id,
  body,
  size: `octet_length(old.${body})`,
  digest: row => `sha256(convert_to(${row}.${body}, 'UTF8'))`,
})

const KINDS = {
  page: text('id', 'html'),
  part: text('id', 'html'),
  record: text('key', 'value'),
  file: { id: 'id', size: 'old.size', digest: row => `${row}.digest` },
} satisfies Record<string, Recorded>

/** Inserts the change of an item of the space `space`. */
const insertChange = (kind: string, item: string, space: string, values: readonly string[]) => `
    insert into changes as change
      (space_id, kind, thing, revision, before, before_digest, body, size, after, after_digest)
      select id, '${kind}', ${item}, revision, ${values.join(', ')}
      from spaces where id = ${space} and (transaction is null or transaction = pg_current_xact_id())
      on conflict (space_id, kind, thing, revision) do update set
        body = case when change.before is null then null else coalesce(change.body, excluded.body) end,
        size = case when change.before is null then 0 else greatest(change.size, excluded.size) end,
        after = excluded.after, after_digest = excluded.after_digest;`

const record = (kind: keyof typeof KINDS, columns: readonly string[]) => {
  const { id, body, size, digest }: Recorded = KINDS[kind]
  const fields = (row: string) =>
    `jsonb_build_object(${columns.map(name => `'${name}', ${row}.${name}`).join(', ')})`
  const rowOf = (row: string) => `(${columns.map(name => `${row}.${name}`).join(', ')})`
  const oldBody = body ? `old.${body}` : 'null'
  const ifReplaced = (value: string, otherwise: string) =>
    `case when old_digest = new_digest then ${otherwise} else ${value} end`
  return `what = '${kind}' then
    if tg_op = 'INSERT' then${insertChange(kind, `new.${id}`, 'new.space_id', [
      'null, null, null, 0',
      fields('new'),
      digest('new'),
    ])}
    elsif tg_op = 'DELETE' then${insertChange(kind, `old.${id}`, 'old.space_id', [
      fields('old'),
      digest('old'),
      oldBody,
      size,
      'null, null',
    ])}
    else
      old_digest := ${digest('old')};
      new_digest := ${digest('new')};
      if old_digest = new_digest and ${rowOf('old')} is not distinct from ${rowOf('new')} then return null; end if;${insertChange(
        kind,
        `new.${id}`,
        'new.space_id',
        [
          fields('old'),
          'old_digest',
          ifReplaced(oldBody, 'null'),
          ifReplaced(size, '0'),
          fields('new'),
          'new_digest',
        ],
      )}
    end if;`
}

/**
 * Returns the trigger function that records a change of a row, as part of the newest write to its space.
 *
 * - A migration that adds a column to a table of content calls this with all columns but the id and those in which two
 *   equal items can differ. Released migrations call it too, so what it returns for their columns must not change.
 * - A body is stored with the change that replaces it. A change that keeps the body stores none, so no body is stored
 *   twice: the body at any time is the one of the next change that has one, or else the one in the row.
 * - The second change of an item in the same write is added to the first one.
 * - On Citus, it runs on the shard, so it gets the kind as an argument instead of looking at the name of the table.
 */
export const recordChange = (columns: Record<keyof typeof KINDS, readonly string[]>) => `
create or replace function "record_change"() returns trigger language plpgsql as $$
declare
  what text := tg_argv[0];
  old_digest bytea; new_digest bytea;
begin
  if ${Object.entries(columns)
    .map(([kind, names]) => record(kind as keyof typeof KINDS, names))
    .join('\n  elsif ')}
  elsif tg_argv[1] = 'name' then${insertChange('space', `'name'`, 'new.id', [
    `jsonb_build_object('name', old.name), null, null, 0`,
    `jsonb_build_object('name', new.name), null`,
  ])}
  else
    -- The icon of a space that is being deleted has no history.
    if tg_op = 'DELETE' and not exists (select from space_names where id = old.space_id) then return null; end if;
    old_digest := sha256(old.png); new_digest := sha256(new.png);
    if old_digest = new_digest then return null; end if;${insertChange(
      'space',
      `'icon'`,
      'coalesce(new.space_id, old.space_id)',
      [
        `case when old_digest is not null then jsonb_build_object('size', octet_length(old.png)) end`,
        'old_digest, null, coalesce(octet_length(old.png), 0)',
        `case when new_digest is not null then jsonb_build_object('size', octet_length(new.png)) end`,
        'new_digest',
      ],
    )}
  end if;
  if found then return null; end if;
  -- The icon of an account belongs to no space. Content that is deleted with its space has no history.
  if what <> 'space' or tg_argv[1] = 'icon' then
    if not exists (select from spaces where id = coalesce(new.space_id, old.space_id)) then return null; end if;
  end if;
  raise exception 'The content of a space was changed outside of a write';
end $$;`
