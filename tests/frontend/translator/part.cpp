int part() {
  return LANECL_TEST_PART;
}
