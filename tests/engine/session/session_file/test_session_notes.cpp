// SPDX-License-Identifier: GPL-3.0-or-later
// Notes on steps: kept in a session file, absent from files of earlier versions, and written out in
// a report. Notes that could not be read again are not saved.
#include <gmock/gmock.h>

#include "engine/session/report/report.h"
#include "tests/engine/session/session_file/session_file_support.h"

namespace attn {
namespace {

using test::SavedRun;
using test::TemporaryFolder;
using testing::HasSubstr;

// A note of two lines with quotes and characters beyond ASCII, one of the greatest length, and one
// that a spreadsheet would take for a formula.
std::vector<StepNote> some_notes() {
  return {{1, "two prompts,\n\"quoted\" \u00fc\u2192"},
          {2, std::string(kMostNoteBytes, 'x')},
          {3, "=1+1 <b>&"}};
}

TEST(SessionNotes, AreKeptAndGiveTheSameBytesAgain) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "a.attn-session", again = folder.path() / "b.attn-session";
  SavedRun run(test::tiny_scenario());
  ASSERT_EQ(run.snapshot->steps->size(), 3u);
  run.notes = some_notes();
  run.save(file);
  const Session session = load_session(file);
  EXPECT_EQ(session.notes, run.notes);
  RowStateLog states;
  for (const RowStateEvent& state : session.row_states) states.row_state(state);
  save_session(again,
               {session.snapshot, session.recorder.get(), &states, session.view, session.notes});
  EXPECT_TRUE(test::read_bytes(file) == test::read_bytes(again));
}

// A file of version 4 is one of version 5 without the chunk of notes.
TEST(SessionNotes, AFileOfVersion4HasNone) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "a.attn-session";
  test::Chunks chunks(
      test::read_bytes(ATTN_SOURCE_DIR "/tests/golden/session/version5.attn-session"));
  const auto notes = chunks.parts.begin() + static_cast<int>(ChunkKind::kNotes);
  ASSERT_EQ(notes->first, std::string("notes\0\0\0", 8));
  chunks.parts.erase(notes);
  chunks.version = 4;
  test::write_bytes(file, chunks.whole());
  const Session session = load_session(file);
  EXPECT_TRUE(session.notes.empty());
  EXPECT_EQ(session.snapshot->generated_tokens, 6);
  EXPECT_TRUE(session.snapshot->requests[0].attention->row_done(0, 0, 4));
}

TEST(SessionNotes, NothingIsWrittenThatCouldNotBeRead) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "a.attn-session";
  SavedRun run(test::tiny_scenario());
  const std::vector<std::vector<StepNote>> bad = {{{0, "a"}},
                                                  {{4, "a"}},
                                                  {{2, "a"}, {1, "b"}},
                                                  {{2, "a"}, {2, "b"}},
                                                  {{1, ""}},
                                                  {{1, std::string(kMostNoteBytes + 1, 'x')}},
                                                  {{1, "\xff"}},
                                                  std::vector<StepNote>(kMostNotes + 1, {1, "a"})};
  for (const std::vector<StepNote>& notes : bad) {
    run.notes = notes;
    try {
      run.save(file);
      ADD_FAILURE() << "saved: " << notes.front().step;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kBadInput);
      EXPECT_THAT(error.what(), HasSubstr("a.attn-session (notes)"));
    }
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(SessionNotes, AReportHasThemAsTableAndOnItsPage) {
  const SavedRun run(test::tiny_scenario());
  const TemporaryFolder folder;
  ReportInputs inputs;
  inputs.snapshot = run.snapshot.get();
  inputs.events = run.recorder->sorted();
  inputs.notes = {{1, "two\nlines"}, {3, "=1+1 <b>&"}};
  write_report(folder.path(), inputs);
  EXPECT_EQ(test::read_bytes(folder.path() / "notes.csv"),
            "step,text\n1,\"two\nlines\"\n3,\"'=1+1 <b>&\"\n");
  const std::string page = test::read_bytes(folder.path() / "index.html");
  EXPECT_THAT(page, HasSubstr("<strong>Step 3.</strong> =1+1 &lt;b&gt;&amp;</p>"));
  EXPECT_THAT(page, HasSubstr("href=\"notes.csv\""));
  EXPECT_THAT(test::read_bytes(folder.path() / "manifest.json"), HasSubstr("notes.csv"));
  const TemporaryFolder plain;
  inputs.notes.clear();
  write_report(plain.path(), inputs);
  EXPECT_FALSE(std::filesystem::exists(plain.path() / "notes.csv"));
  EXPECT_THAT(test::read_bytes(plain.path() / "index.html"), Not(HasSubstr("Notes")));
}

}  // namespace
}  // namespace attn
