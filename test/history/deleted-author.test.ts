import { beforeEach, describe, expect, it } from 'vitest'
import { errorCodeOf } from '../support/problems.ts'
import { type Person, useTestService } from '../support/test-service.ts'
import { holdLocks, waitForBlocked } from '../support/transactions.ts'

const service = useTestService()

let person: Person
beforeEach(async () => {
  person = await service.signUp()
})

describe('deleting an account', () => {
  const changesIn = (account: string) =>
    service.core.database
      .selectFrom('post_changes')
      .where('account_id', '=', account)
      .select('position')
      .execute()
  const accountOf = async ({ handle }: Person) =>
    (
      await service.core.database
        .selectFrom('accounts')
        .where('handle', '=', handle)
        .select('id')
        .executeTakeFirstOrThrow()
    ).id

  it('erases the history of its own posts only', async () => {
    const other = await service.signUp()
    const [account, otherAccount] = [await accountOf(person), await accountOf(other)]
    for (const author of [person, other]) {
      const { id } = await author.posts.create({ html: 'one' })
      await author.posts.update({ post_id: id, html: 'two' })
      await author.posts.delete({ post_id: id })
    }
    expect(await changesIn(account)).toHaveLength(2)
    await person.accounts.delete({ confirm: person.handle })
    expect(await changesIn(account)).toEqual([])
    expect(await changesIn(otherAccount)).toHaveLength(2)
  })

  it('also erases the history entry of a write that is in progress', async () => {
    const account = await accountOf(person)
    const { id } = await person.posts.create({ html: 'one' })
    const held = await holdLocks(service, sql =>
      sql.selectFrom('posts').where('id', '=', id).select('id').forUpdate().execute(),
    )
    const write = errorCodeOf(person.posts.update({ post_id: id, html: 'two' }))
    await waitForBlocked(service, 1)
    const deletion = person.accounts.delete({ confirm: person.handle })
    await waitForBlocked(service, 2)
    await held.commit()
    await Promise.all([write, deletion])
    expect(await changesIn(account)).toEqual([])
    expect(service.log.filter(({ msg }) => msg === 'fault')).toEqual([])
  })
})
