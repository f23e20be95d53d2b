import type { ErrorCode } from '@countersign/contract'

/** By SQLSTATE or the system's error code. */
const codes = new Map<string, ErrorCode>([
  ...[
    'ECONNREFUSED',
    'ECONNRESET',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'ENOENT',
    'ENOTFOUND',
    'EAI_AGAIN',
    'EPIPE',
    'ETIMEDOUT',
    // The connection failed.
    '08000',
    '08001',
    '08003',
    '08004',
    '08006',
    // Shutting down, crashed, starting, too many connections, out of memory, cancelled, the device fails.
    '57P01',
    '57P02',
    '57P03',
    '53300',
    '53200',
    '57014',
    '58030',
    // Not taking connections, or not there (any more).
    '55000',
    '3D000',
  ].map((code) => [code, 'DATABASE_UNAVAILABLE'] as const),
  ['53100', 'DISK_FULL'],
  ['25006', 'DATABASE_READ_ONLY'],
])

/** What the driver says without a code. */
const AWAY =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client has encountered a connection error|Client was closed)/

const sentences: Partial<Record<ErrorCode, string>> = {
  DATABASE_UNAVAILABLE: 'The database did not answer.',
  DISK_FULL: 'The disk of the database is full.',
  DATABASE_READ_ONLY: 'The database can be read and not written: it is a standby, or was made read-only.',
}

/** What is wrong with the database itself, when that is why something failed. */
export function readDatabaseFailure(error: unknown): { code: ErrorCode; sentence: string } | null {
  for (let at = error; at instanceof Error; at = at.cause) {
    const code = codeOf(at)
    if (code) return { code, sentence: sentences[code] ?? '' }
  }
  return null
}

function codeOf(error: Error): ErrorCode | undefined {
  if (!('code' in error) || typeof error.code !== 'string')
    return AWAY.test(error.message) ? 'DATABASE_UNAVAILABLE' : undefined
  const isConnecting = 'syscall' in error && error.syscall === 'connect'
  // Without its socket PostgreSQL is away; any other missing file is none of its business.
  if (error.code === 'ENOENT' && !isConnecting) return undefined
  return codes.get(error.code)
}
