/** Every character that trimming removes (ECMAScript: WhiteSpace and LineTerminator). */
export const WHITE_SPACE =
  '\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff'

/** Invisible characters that trimming keeps. */
export const NOT_WHITE_SPACE = '\u0085\u180e\u200b\u200e\u2060\u0001\u007f'

/** Strings that cannot be stored without loss. */
export const UNSTORABLE = ['a\u0000b', 'a\ud800b', 'a\udc00b', '\udc00\ud800', 'a\ud83d'] as const

/** A code point of two UTF-16 units and four bytes in UTF-8. */
export const ASTRAL = '🌱'
