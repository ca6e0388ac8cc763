import { sql } from 'kysely'

/**
 * The account that has participated in a space for longest, as a column of a query of the directory.
 *
 * @param column the column that has the id of the space
 */
export const firstParticipant = (column: 'space_names.id' | 'origins.space_id') => sql<string | null>`(
  select account_id from participants where space_id = ${sql.ref(column)} order by joined_at, id limit 1)`
