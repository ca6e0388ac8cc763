import type { Sql } from '../orm.ts'

export type IconOwner = { space_id: string } | { account_id: string }

/** Deletes the icon of a space or an account, if it has one. */
export const deleteIcon = (db: Sql, owner: IconOwner) => {
  const [column, id] = Object.entries(owner)[0] as ['space_id' | 'account_id', string]
  return db.deleteFrom('icons').where(column, '=', id).execute()
}

/** Replaces an icon; the new id gives it a new URL. Call in a transaction that has locked the owner. */
export const replaceIcon = async (db: Sql, owner: IconOwner, icon: { id: string; png: Buffer }) => {
  await deleteIcon(db, owner)
  await db
    .insertInto('icons')
    .values({ ...icon, ...owner })
    .execute()
}

export const findIcon = (db: Sql, id: string) =>
  db.selectFrom('icons').where('id', '=', id).select('png').executeTakeFirst()
