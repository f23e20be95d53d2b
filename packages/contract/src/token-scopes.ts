/** What a token may do: `read` what its account may see; `propose`, and keep what the team shares; `confirm`. */
export const tokenScopes = ['read', 'propose', 'confirm'] as const
export type TokenScope = (typeof tokenScopes)[number]
