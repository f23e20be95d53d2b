/** Scripts, styles and connections from this origin alone; nothing inline, no WASM; frames only around Safe Apps. */
function contentSecurityPolicy(safeHosts: readonly string[], relayUrl: string | null): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src ${relayUrl ? `'self' ${new URL(relayUrl).origin}` : "'self'"}`,
    "font-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    `frame-ancestors ${safeHosts.length > 0 ? safeHosts.join(' ') : "'none'"}`,
    "base-uri 'none'",
  ].join('; ')
}

/**
 * @param safeHosts origins that may show the product in a frame
 * @param relayUrl the WalletConnect relay that the page may reach
 */
export function securityHeaders(
  publicUrl: URL,
  safeHosts: readonly string[],
  relayUrl: string | null,
): Record<string, string> {
  return {
    'content-security-policy': contentSecurityPolicy(safeHosts, relayUrl),
    // A wallet's pop-up must be able to answer.
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    // It knows no list of hosts; where there is one, frame-ancestors alone decides.
    ...(safeHosts.length > 0 ? {} : { 'x-frame-options': 'DENY' }),
    'referrer-policy': 'no-referrer',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
    ...(publicUrl.protocol === 'https:' ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  }
}

/**
 * Files that pages of other origins read: the manifest of this Safe App, its icon, the picture of tokens. None holds
 * a secret.
 */
const safeAppFiles = new Set(['/manifest.json', '/favicon.svg', '/token.svg'])

export function safeAppHeaders(path: string): Record<string, string> {
  if (!safeAppFiles.has(path)) return {}
  return { 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' }
}
