//! `docs/reference/proto.md`.

use std::{collections::HashMap, fmt::Write};

use prost_types::{
    DescriptorProto, EnumDescriptorProto, FieldDescriptorProto, FileDescriptorProto,
    ServiceDescriptorProto,
    field_descriptor_proto::{Label, Type},
};

use crate::page::{check, notice, project};

// Numbers of fields in descriptor.proto, of which paths are made.
const SERVICE: i32 = 6;
const MESSAGE: i32 = 4;
const ENUM: i32 = 5;
const MEMBER: i32 = 2;
const NESTED_MESSAGE: i32 = 3;
const NESTED_ENUM: i32 = 4;
const PACKAGE: i32 = 2;

/// The comments of a file by the path of what they are about.
type Comments = HashMap<Vec<i32>, String>;

fn comments(file: &FileDescriptorProto) -> Comments {
    let places = file.source_code_info.iter().flat_map(|it| &it.location);
    let texts = places.map(|place| {
        let leading = place.leading_comments().lines().map(str::trim);
        let trailing = place.trailing_comments().lines().map(str::trim);
        let lines: Vec<&str> = leading
            .chain(trailing)
            .filter(|it| !it.is_empty())
            .collect();
        (place.path.clone(), lines.join(" "))
    });
    texts.filter(|(_, text)| !text.is_empty()).collect()
}

fn with(path: &[i32], more: &[i32]) -> Vec<i32> {
    [path, more].concat()
}

fn about(comments: &Comments, path: &[i32]) -> String {
    comments
        .get(path)
        .map_or_else(String::new, |it| it.replace('|', "\\|"))
}

/// A type of the contract as a link, one of Google's by its name.
fn link(name: &str) -> String {
    match name.strip_prefix(".soko.v1.") {
        Some(own) => format!("[{own}](#{})", own.to_lowercase().replace('.', "")),
        None => format!("`{}`", name.trim_start_matches('.')),
    }
}

fn type_of(field: &FieldDescriptorProto, message: &DescriptorProto) -> String {
    let entry = |nested: &&DescriptorProto| {
        let is_map = nested
            .options
            .as_ref()
            .is_some_and(prost_types::MessageOptions::map_entry);
        is_map && field.type_name().ends_with(&format!(".{}", nested.name()))
    };
    if let Some(entry) = message.nested_type.iter().find(entry)
        && let [key, value] = &entry.field[..]
    {
        return format!(
            "map of {} to {}",
            type_of(key, entry),
            type_of(value, entry)
        );
    }
    let name = match field.r#type() {
        Type::Message | Type::Enum => link(field.type_name()),
        other => format!("`{}`", format!("{other:?}").to_lowercase()),
    };
    if field.label() == Label::Repeated {
        format!("list of {name}")
    } else if field.proto3_optional() {
        format!("{name}, optional")
    } else {
        name
    }
}

fn service(text: &mut String, service: &ServiceDescriptorProto, at: &[i32], comments: &Comments) {
    let _ = writeln!(text, "### {}\n\n{}\n", service.name(), about(comments, at));
    text.push_str("| method | takes | gives | |\n|---|---|---|---|\n");
    for (index, method) in (0..).zip(&service.method) {
        let stream = |yes: bool| if yes { "stream of " } else { "" };
        let _ = writeln!(
            text,
            "| `{}` | {}{} | {}{} | {} |",
            method.name(),
            stream(method.client_streaming()),
            link(method.input_type()),
            stream(method.server_streaming()),
            link(method.output_type()),
            about(comments, &with(at, &[MEMBER, index]))
        );
    }
    text.push('\n');
}

fn message(
    text: &mut String,
    message: &DescriptorProto,
    name: &str,
    at: &[i32],
    comments: &Comments,
) {
    let _ = writeln!(text, "### {name}\n");
    let about_it = about(comments, at);
    if !about_it.is_empty() {
        let _ = writeln!(text, "{about_it}\n");
    }
    if !message.field.is_empty() {
        text.push_str("| field | number | type | |\n|---|---|---|---|\n");
    }
    for (index, field) in (0..).zip(&message.field) {
        let one_of = field.oneof_index.filter(|_| !field.proto3_optional());
        let one_of = one_of.and_then(|it| message.oneof_decl.get(it as usize));
        let one_of = one_of.map_or_else(String::new, |it| format!(" (one of `{}`)", it.name()));
        let _ = writeln!(
            text,
            "| `{}` | {} | {}{one_of} | {} |",
            field.name(),
            field.number(),
            type_of(field, message),
            about(comments, &with(at, &[MEMBER, index]))
        );
    }
    text.push('\n');
    for (index, nested) in (0..).zip(&message.nested_type) {
        if !nested
            .options
            .as_ref()
            .is_some_and(prost_types::MessageOptions::map_entry)
        {
            let name = format!("{name}.{}", nested.name());
            self::message(
                text,
                nested,
                &name,
                &with(at, &[NESTED_MESSAGE, index]),
                comments,
            );
        }
    }
    for (index, nested) in (0..).zip(&message.enum_type) {
        let name = format!("{name}.{}", nested.name());
        enumeration(
            text,
            nested,
            &name,
            &with(at, &[NESTED_ENUM, index]),
            comments,
        );
    }
}

fn enumeration(
    text: &mut String,
    of: &EnumDescriptorProto,
    name: &str,
    at: &[i32],
    comments: &Comments,
) {
    let _ = writeln!(text, "### {name}\n\n{}\n", about(comments, at));
    text.push_str("| value | number | |\n|---|---|---|\n");
    for (index, value) in (0..).zip(&of.value) {
        let meaning = about(comments, &with(at, &[MEMBER, index]));
        let _ = writeln!(
            text,
            "| `{}` | {} | {meaning} |",
            value.name(),
            value.number()
        );
    }
    text.push('\n');
}

fn page() -> String {
    let mut text = format!(
        "# The wire contract\n\n{}\n\nPackage `soko.v1` of gRPC; the files are in \
         [proto/soko/v1](../../proto/soko/v1). A coordinator serves them by reflection too.\n\n",
        notice()
    );
    let root = project().join("proto");
    let mut compiler = protox::Compiler::new([&root]).unwrap();
    compiler.include_source_info(true);
    let mut names: Vec<_> = std::fs::read_dir(root.join("soko/v1"))
        .unwrap()
        .map(|file| file.unwrap().path())
        .collect();
    names.sort();
    compiler.open_files(names).unwrap();
    for file in compiler.file_descriptor_set().file {
        let comments = comments(&file);
        let name = file.name().rsplit('/').next().unwrap_or_default();
        let _ = writeln!(text, "## {name}\n\n{}\n", about(&comments, &[PACKAGE]));
        for (index, it) in (0..).zip(&file.service) {
            service(&mut text, it, &[SERVICE, index], &comments);
        }
        for (index, it) in (0..).zip(&file.message_type) {
            message(&mut text, it, it.name(), &[MESSAGE, index], &comments);
        }
        for (index, it) in (0..).zip(&file.enum_type) {
            enumeration(&mut text, it, it.name(), &[ENUM, index], &comments);
        }
    }
    while text.contains("\n\n\n") {
        text = text.replace("\n\n\n", "\n\n");
    }
    format!("{}\n", text.trim_end())
}

#[test]
fn the_page_of_the_contract_is_up_to_date() {
    check("proto.md", &page());
}
