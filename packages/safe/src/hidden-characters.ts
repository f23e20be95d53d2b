/** Characters that cannot be seen or that reorder what is seen: control, format, private ones, line separators. */
export const HIDDEN_CHARACTER = /[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}]/u
