import { FailureView } from '../feedback/FailureView.tsx'
import { failureOf } from '../feedback/failure.ts'
import { Loading } from '../feedback/Loading.tsx'
import { InvalidLink, MISSING_TOKEN } from './InvalidLink.tsx'
import { ResetPassword } from './ResetPassword.tsx'
import { SignInByLink } from './SignInByLink.tsx'
import { useAccountLink } from './use-account-link.ts'

const GONE = 'It was used, or its half hour is over. Ask whoever gave it to you for a new one.'

/** Where an operator's link leads: signs in, or sets a new password. */
export const AccountLink = () => {
  const { token, look, drop } = useAccountLink('link')
  if (token === null) return <InvalidLink {...MISSING_TOKEN} />
  if (look.isPending) return <Loading rows={3} />
  if (look.isError)
    return failureOf(look.error).code === 'link_not_found' ? (
      <InvalidLink text={GONE} />
    ) : (
      <FailureView error={look.error} retry={() => void look.refetch()} />
    )
  const { purpose, handle } = look.data
  if (handle === null) return <InvalidLink text={GONE} />
  return purpose === 'reset' ? (
    <ResetPassword key={token} token={token} handle={handle} onUsed={drop} />
  ) : (
    <SignInByLink key={token} token={token} handle={handle} onUsed={drop} />
  )
}
