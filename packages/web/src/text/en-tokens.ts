/** Texts of features/tokens. */
export const enTokens = {
  'tokens.title': 'API tokens',
  'tokens.empty': 'No API token yet',
  'tokens.empty.sentence': 'A script shows a token instead of a session. It may do what you may, within its scopes.',
} as const satisfies Record<string, string>
