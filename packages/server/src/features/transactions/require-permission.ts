import type { Permission } from '@countersign/safe'

/**
 * Throws the reason why not.
 *
 * @param except reasons that are none here
 */
export function requirePermission(
  permission: Permission,
  data: Record<string, unknown>,
  ...except: readonly string[]
): void {
  if (permission.ok || except.includes(permission.code)) return
  throw permission.error.with(data)
}
