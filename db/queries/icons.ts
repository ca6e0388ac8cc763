import type { Sql } from '../orm.ts'

export type IconOwner = { space_id: string } | { account_id: string }

/** Takes an owner's icon away, if there is one. */
export const deleteIcon = (db: Sql, owner: IconOwner) => {
  const [column, id] = Object.entries(owner)[0] as ['space_id' | 'account_id', string]
  return db.deleteFrom('icons').where(column, '=', id).execute()
}

/** Gives an owner an icon; its id is new, so that its address is. Call in a transaction that has locked the owner. */
export const replaceIcon = async (db: Sql, owner: IconOwner, icon: { id: string; png: Buffer }) => {
  await deleteIcon(db, owner)
  await db
    .insertInto('icons')
    .values({ ...icon, ...owner })
    .execute()
}

export const findIcon = (db: Sql, id: string) =>
  db.selectFrom('icons').where('id', '=', id).select('png').executeTakeFirst()
