ALTER TABLE "confirmation" ADD COLUMN "verified_block_hash" "bytea";--> statement-breakpoint
ALTER TABLE "safe" ADD COLUMN "block_hash" "bytea";--> statement-breakpoint
CREATE INDEX "confirmation_ahead" ON "confirmation" USING btree ("chain_id","verified_block") WHERE "confirmation"."verified_block_hash" is not null;--> statement-breakpoint
CREATE INDEX "safe_ahead" ON "safe" USING btree ("chain_id","block_number") WHERE "safe"."block_hash" is not null;--> statement-breakpoint
-- Of these it is not known whether the block that they were read at is still there.
UPDATE "safe" SET "is_stale" = true FROM "chain_cursor" AS c
  WHERE "safe"."chain_id" = c."chain_id" AND "safe"."block_number" > c."block_number";
