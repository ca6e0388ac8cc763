/** Statuses of many answers, in ascending order. */
export const statusesOf = (answers: readonly { status: number }[]): number[] =>
  answers.map(({ status }) => status).toSorted((a, b) => a - b)

/** What a refusal says: its status, and every field that it names, in the order of their names. */
export const refusalOf = ({ status, body }: { status: number; body: object }): (number | string)[] => {
  const { errors = [] } = body as { errors?: { field: string }[] }
  return [status, ...errors.map(({ field }) => field).toSorted()]
}
