//! Interactive questions on a terminal, for values that the command line does not set.

use callsheet::documents::DialectKey;
use callsheet::types::Kind;
use dialoguer::{Input, MultiSelect, Select};

use super::answers::Answers;
use super::template::templates;
use crate::commands::context::Context;
use crate::commands::kinds;
use crate::exit::Failure;

/// Asks for missing values.
pub(super) fn ask(context: &mut Context, answers: &mut Answers) -> Result<(), Failure> {
    dialect(context, answers)?;
    if answers.get("name").is_none() {
        let name = name(context, &answers.dialect.id)?;
        answers.set("name", name);
    }
    if !answers.user {
        let places = ["this project", "all of your projects"];
        answers.user = select(context, "Available in", &places)? == 1;
    }
    let is_agent = context.kind == Kind::Agent;
    if is_agent && answers.template.is_none() && answers.prompt.is_none() {
        let names: Vec<String> = templates()
            .map(|it| format!("{}: {}", it.name, it.description))
            .collect();
        let choice: Vec<&str> = ["nothing"]
            .into_iter()
            .chain(names.iter().map(String::as_str))
            .collect();
        let chosen = select(context, "Start from", &choice)?;
        answers.template = chosen.checked_sub(1).and_then(|at| templates().nth(at));
    }
    if answers.get("description").is_none() {
        let initial = answers.template.as_ref().map(|it| it.description);
        let description = text(context, "When to use it", initial, said)?;
        answers.set("description", description);
    }
    if is_agent {
        tools(context, answers)?;
    }
    model(context, answers)?;
    color(context, answers)?;
    let unsaid: Vec<DialectKey> = answers.unsaid().cloned().collect();
    for key in unsaid {
        let value = one(context, &format!("`{}`", key.spellings[0]), &key.values)?;
        answers.set(&key.canonical, value);
    }
    if answers.template.is_none() && answers.prompt.is_none() {
        let prompt = text(
            context,
            "What should it do? (you can extend its file later)",
            None,
            said,
        )?;
        answers.prompt = Some(prompt);
    }
    Ok(())
}

/// Shows the file, and asks for confirmation.
pub(super) fn preview(context: &mut Context, path: &str, text: &str) -> Result<bool, Failure> {
    context.remark(&format!("\n{path}:\n\n{text}"));
    context.confirm("Write it?", true)
}

fn dialect(context: &mut Context, answers: &mut Answers) -> Result<(), Failure> {
    if answers.choice.is_empty() {
        return Ok(());
    }
    let titles: Vec<&str> = answers.choice.iter().map(|it| it.title.as_str()).collect();
    let chosen = select(context, "Which tool is it for?", &titles)?;
    answers.dialect = answers.choice.swap_remove(chosen);
    answers.choice.clear();
    Ok(())
}

fn tools(context: &mut Context, answers: &mut Answers) -> Result<(), Failure> {
    let Some(key) = answers.key("tools").filter(|_| answers.get("tools").is_none()) else {
        return Ok(());
    };
    let unsaid = format!("default ({})", key.default);
    let chosen = select(
        context,
        "Which tools may it use?",
        &["only these", &unsaid, "none"],
    )?;
    match chosen {
        0 => {
            let usual = answers.usual_tools(&mut context.callsheet)?;
            let known = &answers.dialect.tools;
            let label = |tool: &callsheet::documents::DialectTool| match tool.may.as_slice() {
                [] => tool.name.clone(),
                may => format!("{} - {}", tool.name, may.join(", ")),
            };
            let labels: Vec<String> = known.iter().map(label).collect();
            let checked: Vec<bool> = known.iter().map(|tool| usual.contains(&tool.name)).collect();
            let chosen = context.ask(|theme| {
                let question =
                    MultiSelect::with_theme(theme).with_prompt("Which? (space to select, enter to confirm)");
                question.items(&labels).defaults(&checked).interact_opt()
            })?;
            let names: Vec<&str> = chosen.iter().map(|at| known[*at].name.as_str()).collect();
            let names = names.join(", ");
            answers.set("tools", names);
        }
        2 => answers.set("tools", ""),
        _ => answers.leave_tools(),
    }
    Ok(())
}

fn model(context: &mut Context, answers: &mut Answers) -> Result<(), Failure> {
    let Some(key) = answers.key("model").filter(|_| answers.get("model").is_none()) else {
        return Ok(());
    };
    let unsaid = format!("default ({})", key.default);
    let mut choice: Vec<&str> = answers.dialect.models.iter().map(String::as_str).collect();
    if !key.required {
        choice.insert(0, &unsaid);
    }
    choice.push("another");
    let chosen = select(context, "Which model?", &choice)?;
    let value = match choice[chosen] {
        "another" => text(context, "Which?", None, said)?,
        word if word == unsaid => return Ok(()),
        word => word.to_owned(),
    };
    answers.set("model", value);
    Ok(())
}

fn color(context: &mut Context, answers: &mut Answers) -> Result<(), Failure> {
    const USUAL: [&str; 8] = [
        "red", "blue", "green", "yellow", "purple", "orange", "pink", "cyan",
    ];
    let Some(key) = answers.key("color").filter(|_| answers.get("color").is_none()) else {
        return Ok(());
    };
    let known = key.values.iter().map(String::as_str);
    let colors: Vec<&str> = if key.values.is_empty() {
        USUAL.to_vec()
    } else {
        known.collect()
    };
    let choice: Vec<&str> = ["none"].into_iter().chain(colors).collect();
    let chosen = select(context, "Which color?", &choice)?;
    if let Some(color) = choice.get(chosen).filter(|_| chosen > 0) {
        let color = (*color).to_owned();
        answers.set("color", color);
    }
    Ok(())
}

fn one(context: &mut Context, question: &str, values: &[String]) -> Result<String, Failure> {
    if values.is_empty() {
        return text(context, question, None, said);
    }
    let choice: Vec<&str> = values.iter().map(String::as_str).collect();
    Ok(values[select(context, question, &choice)?].clone())
}

fn select(context: &mut Context, question: &str, choice: &[&str]) -> Result<usize, Failure> {
    // A line wider than the terminal would be redrawn repeatedly.
    let width = context.look.width.saturating_sub(6);
    let lines: Vec<String> = choice
        .iter()
        .map(|line| line.chars().take(width).collect())
        .collect();
    context.ask(|theme| {
        let select = Select::with_theme(theme).with_prompt(question).items(&lines);
        select.default(0).interact_opt()
    })
}

fn text(
    context: &mut Context,
    question: &str,
    initial: Option<&str>,
    valid: fn(&str) -> Result<(), String>,
) -> Result<String, Failure> {
    context.ask(|theme| {
        let mut input = Input::<String>::with_theme(theme).with_prompt(question);
        if let Some(initial) = initial {
            input = input.default(initial.to_owned());
        }
        input
            .validate_with(|text: &String| valid(text))
            .interact_text()
            .map(Some)
    })
}

/// Asks until a file can have the name.
fn name(context: &mut Context, dialect: &str) -> Result<String, Failure> {
    let rules = kinds::dialect(context.kind, dialect);
    loop {
        let name = text(context, "Agent name", None, said)?;
        let Err(invalid) = context.callsheet.name_file(&name, &rules)? else {
            return Ok(name);
        };
        let invalid = callsheet_server::Failure::from(invalid);
        let lines: Vec<String> = [invalid.message].into_iter().chain(invalid.help).collect();
        context.remark(&lines.join("; "));
    }
}

fn said(text: &str) -> Result<(), String> {
    match text.trim() {
        "" => Err("an answer is required".to_owned()),
        _ => Ok(()),
    }
}
