ALTER TABLE "multisig_transaction" ADD COLUMN "sending_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "safe" ADD COLUMN "backfill_stopped_at" timestamp with time zone;