import { Stack } from '@mantine/core'
import { FailureView } from '../feedback/FailureView.tsx'
import { failureOf } from '../feedback/failure.ts'
import { Loading } from '../feedback/Loading.tsx'
import { AuthTitle } from './AuthTitle.tsx'
import { InvalidLink, MISSING_TOKEN } from './InvalidLink.tsx'
import { ResetPassword } from './ResetPassword.tsx'
import { SignInByLink } from './SignInByLink.tsx'
import { useAccountLink } from './use-account-link.ts'

const EXPIRED = 'It was already used, or it has expired. Ask the operator who sent it for a new one.'

/** View for a link that an operator sent. The link signs a person in once or lets them set a new password. */
export const AccountLink = () => {
  const { token, link, drop } = useAccountLink('link')
  if (token === null) return <InvalidLink {...MISSING_TOKEN} />
  if (link.isPending)
    return (
      <Stack>
        <AuthTitle title="Your sign-in link" />
        <Loading rows={3} />
      </Stack>
    )
  if (link.isError)
    return failureOf(link.error).code === 'link_not_found' ? (
      <InvalidLink text={EXPIRED} />
    ) : (
      <FailureView level={1} error={link.error} retry={() => void link.refetch()} />
    )
  const { purpose, handle } = link.data
  if (handle === null) return <InvalidLink text={EXPIRED} />
  return purpose === 'reset' ? (
    <ResetPassword key={token} token={token} handle={handle} onUsed={drop} />
  ) : (
    <SignInByLink key={token} token={token} handle={handle} onUsed={drop} />
  )
}
