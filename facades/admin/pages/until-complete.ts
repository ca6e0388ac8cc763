/** How long to wait before asking for the rest, in ms. */
const PAUSE = 2_000

/** Options of a query whose result is incomplete while the service is still evaluating pages: asks again until it is not. */
export const untilComplete = {
  refetchInterval: ({ state }: { state: { data: { is_complete: boolean } | undefined } }) =>
    state.data?.is_complete === false ? PAUSE : false,
} as const
