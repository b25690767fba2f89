package io.rollscope.store.sql;

import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The functions that users' SQL may call. A function is here if it works on the data alone and what
 * it makes is about as large as what it was given: none that reads settings or files, waits, makes
 * much of nothing, or recurses into text without a bound. docs/storage.md lists the same names.
 */
final class SqlFunctions {
  /** What operators and literals are called once they are parsed. */
  private static final Set<String> OPERATORS =
      words(
          """
          + - * / // % ** ^ & | ~ << >> || @ ^@ && @> <@ -> ->> ~~ !~~ ~~* !~~* ~~~
          like_escape not_like_escape ilike_escape not_ilike_escape
          count_star list_value struct_pack array_value row
          """);

  private static final Set<String> CONDITIONS =
      words("coalesce nullif greatest least if ifnull constant_or_null typeof hash");

  private static final Set<String> AGGREGATES =
      words(
          """
          any_value approx_count_distinct approx_quantile arbitrary arg_max arg_max_null arg_min
          arg_min_null argmax argmin array_agg avg bit_and bit_or bit_xor bool_and bool_or corr count
          count_if countif covar_pop covar_samp entropy favg first fsum geomean geometric_mean
          group_concat kahan_sum kurtosis kurtosis_pop last list listagg mad max max_by mean median
          min min_by mode product quantile quantile_cont quantile_disc regr_avgx regr_avgy regr_count
          regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy sem skewness stddev stddev_pop
          stddev_samp string_agg sum sum_no_overflow sumkahan var_pop var_samp variance wavg
          weighted_avg
          """);

  private static final Set<String> WINDOWS =
      words(
          """
          cume_dist dense_rank fill first_value lag last_value lead nth_value ntile percent_rank rank
          rank_dense row_number
          """);

  private static final Set<String> NUMBERS =
      words(
          """
          abs acos acosh add asin asinh atan atan2 atanh bit_count cbrt ceil ceiling cos cosh cot
          degrees divide even exp fdiv floor fmod gcd greatest_common_divisor isfinite isinf isnan lcm
          least_common_multiple ln log log10 log2 mod multiply nextafter pi pow power radians random
          round round_even roundbankers sign signbit sin sinh sqrt subtract tan tanh trunc xor
          """);

  private static final Set<String> TEXTS =
      words(
          """
          array_to_string ascii bit_length char_length character_length chr concat concat_ws contains
          ends_with format_bytes formatreadabledecimalsize formatreadablesize from_hex hex instr lcase
          left len length lower ltrim md5 octet_length ord parse_dirname parse_dirpath parse_filename
          parse_path position prefix regexp_escape regexp_extract regexp_extract_all
          regexp_full_match regexp_matches regexp_replace regexp_split_to_array replace reverse right
          rtrim sha256 split split_part starts_with str_split str_split_regex string_split
          string_split_regex string_to_array strip_accents strlen strpos substr substring suffix
          to_base to_binary to_hex translate trim ucase unhex unicode upper url_decode url_encode
          """);

  private static final Set<String> TIMES =
      words(
          """
          age century current_date current_localtime current_localtimestamp date_add date_diff
          date_part date_sub date_trunc datediff datepart datesub datetrunc day dayname dayofmonth
          dayofweek dayofyear days_in_month decade epoch epoch_ms epoch_ns epoch_us era
          get_current_time get_current_timestamp hour isodow isoyear julian last_day make_date
          make_time make_timestamp make_timestamp_ms make_timestamp_ns make_timestamptz microsecond
          millennium millisecond minute month monthname nanosecond normalized_interval now quarter
          second strftime strptime time_bucket timezone timezone_hour timezone_minute to_centuries
          to_days to_decades to_hours to_microseconds to_millennia to_milliseconds to_minutes
          to_months to_quarters to_seconds to_timestamp to_weeks to_years today
          transaction_timestamp try_strptime week weekday weekofyear year yearweek
          """);

  private static final Set<String> NESTED =
      words(
          """
          apply array_append array_apply array_cat array_concat array_contains array_distinct
          array_extract array_filter array_has array_has_all array_has_any array_indexof
          array_intersect array_length array_pop_back array_pop_front array_position array_prepend
          array_push_back array_push_front array_reverse array_reverse_sort array_select array_slice
          array_sort array_transform array_unique array_where array_zip cardinality element_at filter
          flatten list_any_value list_append list_apply list_avg list_bool_and list_bool_or list_cat
          list_concat list_contains list_count list_distinct list_element list_extract list_filter
          list_first list_has list_has_all list_has_any list_indexof list_intersect list_last
          list_max list_median list_min list_mode list_pack list_position list_prepend list_product
          list_reverse list_reverse_sort list_select list_slice list_sort list_stddev_pop
          list_stddev_samp list_string_agg list_sum list_transform list_unique list_var_pop
          list_var_samp list_where list_zip map map_contains map_contains_entry map_contains_value
          map_entries map_extract map_extract_value map_from_entries map_keys map_values
          struct_concat struct_extract struct_insert struct_keys struct_values unnest
          """);

  private static final Set<String> JSON =
      words(
          """
          json_array json_array_length json_exists json_extract json_extract_path
          json_extract_path_text json_extract_string json_keys json_object json_type json_valid
          json_value to_json
          """);

  /** What may be called where a value stands. */
  static final Set<String> SCALAR =
      Stream.of(OPERATORS, CONDITIONS, AGGREGATES, WINDOWS, NUMBERS, TEXTS, TIMES, NESTED, JSON)
          .flatMap(Set::stream)
          .collect(Collectors.toUnmodifiableSet());

  /** What may be selected from. */
  static final Set<String> TABLE =
      words("range generate_series unnest json_each duckdb_columns duckdb_functions duckdb_types");

  private SqlFunctions() {}

  private static Set<String> words(String text) {
    return Set.of(text.strip().split("\\s+"));
  }
}
