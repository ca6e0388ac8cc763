import { type TagToken, TokenKind, type TopLevelToken } from 'liquidjs'

/** Takes and yields tokens up to the tag named `end`, which is taken but not yielded. Throws if that tag is missing. */
export function* tokensUntil(
  end: string,
  opening: TagToken,
  remaining: TopLevelToken[],
): Generator<TopLevelToken> {
  for (let token = remaining.shift(); token; token = remaining.shift()) {
    if (token.kind === TokenKind.Tag && (token as TagToken).name === end) return
    yield token
  }
  throw new Error(`tag ${opening.getText()} not closed`)
}
