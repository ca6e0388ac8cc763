import { type Liquid, Tag, type TagToken, TokenKind, type TopLevelToken } from 'liquidjs'

/**
 * `{% comment %}` and `{% doc %}`: print nothing. In a body their content arrives as text (see tokenizer.ts); inside
 * `{% liquid %}`, where every line is a tag, they can be nested.
 */
export class Comment extends Tag {
  constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid) {
    super(token, remaining, liquid)
    let depth = 1
    for (let inner = remaining.shift(); inner; inner = remaining.shift()) {
      if (inner.kind !== TokenKind.Tag) continue
      const { name } = inner as TagToken
      if (name === token.name) depth += 1
      if (name === `end${token.name}`) depth -= 1
      if (depth === 0) return
    }
    throw new Error(`tag ${token.getText()} not closed`)
  }

  override render(): void {}
}

/** `{% # … %}`: every line starts with `#`. liquidjs's own check takes quadratic time on blank lines. */
export class InlineComment extends Tag {
  constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid) {
    super(token, remaining, liquid)
    for (const line of token.args.split('\n').slice(1)) {
      const text = line.trimStart()
      if (text !== '' && !text.startsWith('#')) {
        throw new Error("every line of an inline comment must start with a '#' character")
      }
    }
  }

  override render(): void {}
}
