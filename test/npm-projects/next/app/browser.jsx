"use client";
import { useEffect } from "react";
import { open } from "boundcheck";

export default function Browser() {
  useEffect(() => {
    const client = open();
    globalThis.score = async (base64) => {
      const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
      return new TextDecoder().decode(await (await client).handleRaw("score", bytes));
    };
  }, []);
  return null;
}
