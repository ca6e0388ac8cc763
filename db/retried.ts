/** PostgreSQL's code for a statement that lost to another one that waited for it in turn. */
const DEADLOCK = '40P01'

const ATTEMPTS = 3

/**
 * Does work again that PostgreSQL has cancelled to end a deadlock. For writes that take rows along in an order
 * that they don't choose, such as deletes that cascade.
 *
 * @param work a whole transaction or a single statement, of which nothing is left when it is cancelled
 */
export const retried = async <T>(work: () => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt++)
    try {
      return await work()
    } catch (error) {
      const isDeadlock = error instanceof Error && 'code' in error && error.code === DEADLOCK
      if (!isDeadlock || attempt === ATTEMPTS) throw error
    }
}
