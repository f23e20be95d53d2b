ALTER TABLE "chain_cursor" ADD COLUMN "discovered_block" bigint;--> statement-breakpoint
ALTER TABLE "history_entry" ADD COLUMN "factory" "bytea";--> statement-breakpoint
ALTER TABLE "history_entry" ADD COLUMN "singleton" "bytea";--> statement-breakpoint
ALTER TABLE "safe" ADD COLUMN "created_block" bigint;--> statement-breakpoint
-- Who created a Safe, and by which factory, was not written down until now: it is read from the chain's beginning.
DELETE FROM "history_entry" WHERE "kind" = 'created';--> statement-breakpoint
UPDATE "safe" SET "backfill_block" = 0;
