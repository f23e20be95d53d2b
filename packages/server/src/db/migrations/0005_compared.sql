ALTER TABLE "history_entry" ADD COLUMN "after_block" bigint;--> statement-breakpoint
ALTER TABLE "safe" ADD COLUMN "compared_block" bigint;--> statement-breakpoint
ALTER TABLE "safe" ADD COLUMN "compared_balance" numeric(78, 0);--> statement-breakpoint
ALTER TABLE "safe" ADD COLUMN "compared_nonce" numeric(78, 0);--> statement-breakpoint
CREATE INDEX "safe_compared" ON "safe" USING btree ("chain_id","compared_block");