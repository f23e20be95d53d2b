DROP INDEX "safe_backfill";--> statement-breakpoint
ALTER TABLE "chain_follower" ADD COLUMN "backfill_rate" double precision;--> statement-breakpoint
ALTER TABLE "safe" ADD COLUMN "backfill_to" bigint;--> statement-breakpoint
ALTER TABLE "safe" ADD COLUMN "origin" text;--> statement-breakpoint
CREATE INDEX "safe_backfill" ON "safe" USING btree ("chain_id","backfill_to") WHERE "safe"."backfill_block" is not null;