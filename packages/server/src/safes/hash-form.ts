import { type SQL, sql } from 'drizzle-orm'
import { safe } from '../db/schema.ts'

/** Releases that hash a transaction alike, as SQL: the EIP-712 types changed with 1.0.0 and with 1.3.0. */
function formOf(version: SQL): SQL {
  return sql`(case when ${version} like '0.%' then 0 when ${version} similar to '1.[012].%' then 1 else 2 end)`
}

/**
 * Whether a hash from a version of the Safe is none that the Safe has now, as SQL over a row of `safe`: an upgrade can
 * change the hash of what was proposed before. False where the version is not known.
 */
export function isHashOutdated(domainVersion: SQL): SQL<boolean> {
  return sql<boolean>`(${domainVersion} is not null and ${formOf(domainVersion)} <> ${formOf(sql`${safe.domainVersion}`)})`
}
