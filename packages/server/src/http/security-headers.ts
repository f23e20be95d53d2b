/** Scripts, styles and connections from this origin alone; nothing inline, no frames, no WASM. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')

export function securityHeaders(publicUrl: URL): Record<string, string> {
  return {
    'content-security-policy': CONTENT_SECURITY_POLICY,
    // A wallet's pop-up must be able to answer.
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
    ...(publicUrl.protocol === 'https:' ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  }
}
