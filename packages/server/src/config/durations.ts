export const HOUR_MS = 3_600_000
export const YEAR_HOURS = 8_760
