import { CheckedLink } from './CheckedLink.tsx'
import { ResetPassword } from './ResetPassword.tsx'
import { SignInByLink } from './SignInByLink.tsx'

const EXPIRED = 'It was already used, or it has expired. Ask the operator for a new link.'

/** View for a link that an operator sent. The link signs a person in once or lets them set a new password. */
export const AccountLink = () => (
  <CheckedLink view="link" title="Your sign-in link" expired={EXPIRED}>
    {({ purpose, handle }, use) => {
      if (handle === null) return null
      return purpose === 'reset' ? (
        <ResetPassword key={use.token} handle={handle} {...use} />
      ) : (
        <SignInByLink key={use.token} handle={handle} {...use} />
      )
    }}
  </CheckedLink>
)
