ALTER TABLE "activity" ADD COLUMN "previous_hash" "bytea";--> statement-breakpoint
ALTER TABLE "activity" ADD COLUMN "hash" "bytea";--> statement-breakpoint
CREATE FUNCTION activity_text(entry activity) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object(
    'at', to_char(entry.at AT TIME ZONE 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
    'account', '0x' || encode(entry.account, 'hex'),
    'verb', entry.verb,
    'chainId', entry.chain_id,
    'safeAddress', '0x' || encode(entry.safe_address, 'hex'),
    'safeTxHash', '0x' || encode(entry.safe_tx_hash, 'hex'),
    'detail', entry.detail
  )::text
$$;--> statement-breakpoint
CREATE FUNCTION activity_chain() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    RAISE EXCEPTION 'The activity log is append-only' USING ERRCODE = 'restrict_violation';
  END IF;
  IF NEW.safe_address IS NULL THEN
    RETURN NEW;
  END IF;
  -- One at a time for a Safe, until the transaction ends: who comes next must see this entry.
  PERFORM pg_advisory_xact_lock(hashtextextended(NEW.chain_id || encode(NEW.safe_address, 'hex'), 4100));
  NEW.id := nextval('activity_id_seq');
  SELECT hash INTO NEW.previous_hash FROM activity
    WHERE chain_id = NEW.chain_id AND safe_address = NEW.safe_address ORDER BY id DESC LIMIT 1;
  NEW.previous_hash := coalesce(NEW.previous_hash, decode(repeat('00', 32), 'hex'));
  NEW.hash := sha256(NEW.previous_hash || convert_to(activity_text(NEW), 'UTF8'));
  RETURN NEW;
END
$$;--> statement-breakpoint
DO $$
DECLARE
  entry activity;
  previous bytea;
  place text := '';
BEGIN
  FOR entry IN SELECT * FROM activity WHERE safe_address IS NOT NULL ORDER BY chain_id, safe_address, id LOOP
    IF place <> entry.chain_id || encode(entry.safe_address, 'hex') THEN
      place := entry.chain_id || encode(entry.safe_address, 'hex');
      previous := decode(repeat('00', 32), 'hex');
    END IF;
    UPDATE activity SET previous_hash = previous,
      hash = sha256(previous || convert_to(activity_text(entry), 'UTF8')) WHERE id = entry.id RETURNING hash INTO previous;
  END LOOP;
END
$$;--> statement-breakpoint
CREATE TRIGGER activity_chain BEFORE INSERT OR UPDATE OR DELETE ON activity FOR EACH ROW EXECUTE FUNCTION activity_chain();
