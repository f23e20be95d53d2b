ALTER TABLE "safe" ADD COLUMN "added_by" "bytea";--> statement-breakpoint
CREATE INDEX "safe_added_by" ON "safe" USING btree ("added_by","added_at") WHERE "safe"."added_by" is not null;