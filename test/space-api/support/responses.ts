/** Returns the statuses of responses in ascending order. */
export const statusesOf = (responses: readonly { status: number }[]): number[] =>
  responses.map(({ status }) => status).toSorted((a, b) => a - b)

/** Returns the status of an error response, followed by the fields that it names, sorted. */
export const statusAndFields = ({ status, body }: { status: number; body: object }): (number | string)[] => {
  const { errors = [] } = body as { errors?: { field: string }[] }
  return [status, ...errors.map(({ field }) => field).toSorted()]
}
