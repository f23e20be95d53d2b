-- Executions alone were written down until now: what else happened to the Safes is read from the chain's beginning.
UPDATE "safe" SET "backfill_block" = 0;
