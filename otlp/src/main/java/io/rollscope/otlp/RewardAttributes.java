package io.rollscope.otlp;

import io.rollscope.core.session.RewardAndTokens;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** The attributes that say what a span earned and used (contracts.md 3.16). */
public final class RewardAttributes {
  /** Their keys, with those of older conventions. */
  public static final List<String> KEYS =
      Stream.of(Key.REWARD, Key.INPUT_TOKENS, Key.OUTPUT_TOKENS)
          .flatMap(key -> key.texts().stream())
          .toList();

  /** Those of tokens read, the one that counts first. */
  public static final List<String> INPUT_TOKENS = Key.INPUT_TOKENS.texts();

  /** Those of tokens written, likewise. */
  public static final List<String> OUTPUT_TOKENS = Key.OUTPUT_TOKENS.texts();

  private RewardAttributes() {}

  /** What a span's attributes say as text. */
  public static RewardAndTokens of(Map<String, String> attributes) {
    return RewardAndTokens.of(
        first(attributes, Key.REWARD),
        first(attributes, Key.INPUT_TOKENS),
        first(attributes, Key.OUTPUT_TOKENS));
  }

  private static String first(Map<String, String> attributes, Key key) {
    return key.texts().stream()
        .map(attributes::get)
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }
}
