/** How long to wait before an incomplete result is fetched again, in ms. */
const PAUSE = 2_000

/** Query options that refetch an incomplete result until the service has evaluated all pages. */
export const untilComplete = {
  refetchInterval: ({ state }: { state: { data: { is_complete: boolean } | undefined } }) =>
    state.data?.is_complete === false ? PAUSE : false,
} as const
